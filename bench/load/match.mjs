// A match and its two players' sockets.

export class Match {
  constructor({ Player }, plan, hears, breaks) {
    this.latest = 0
    this.players = [1, 2].map(
      (seat) => new Player(plan, seat, (player, by, over) => hears(this, player, by, over), breaks),
    )
    this.ready = Promise.all(this.players.map((player) => player.ready))
  }
}
