// Who is here, who watches, and the countdown until a win may be claimed.

import { find, setText } from "./dom.js";
import { showPlayers } from "./match-view.js";
import { aboutComputer, audience, claimText, unseenText } from "../words/say.js";

/** @import { Follower } from "../net/follow.js" */
/** @import { Snapshot } from "../types.d.ts" */

const COUNT_EVERY = 500;

export class PresenceView {
  /** @param {Follower} follower */
  constructor(follower) {
    this.follower = follower;
    /** When the win may be claimed, by this device's clock; 0 for never. */
    this.claimableAt = 0;
    setInterval(() => this.showClaim(), COUNT_EVERY);
  }

  /** Start or stop the countdown after a presence message. */
  update() {
    const claim = this.follower.presence?.claim;
    this.claimableAt = claim ? Date.now() + claim.in * 1000 : 0;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const { presence } = this.follower;
    showPlayers(snapshot, presence, this.claimableAt > 0 && Date.now() >= this.claimableAt);
    setText(find("#about"), aboutComputer(snapshot.players[1]) || aboutComputer(snapshot.players[2]));
    const plays = snapshot.you.length > 0;
    const spectators = presence?.spectators ?? 0;
    // A spectator is told how many others watch.
    setText(find("#spectators"), audience(plays ? spectators : spectators - 1, !plays));
  }

  showClaim() {
    const { snapshot, presence } = this.follower;
    const button = find("#claim");
    if (!snapshot || !presence?.claim || snapshot.status !== "live") {
      button.toggleAttribute("disabled", true);
      setText(find("#countdown"), snapshot && presence ? unseenText(snapshot, presence) : "");
      return;
    }
    const seconds = Math.max(0, Math.ceil((this.claimableAt - Date.now()) / 1000));
    // The player who was away now counts as gone.
    if (seconds === 0) this.show(snapshot);
    setText(find("#countdown"), claimText(snapshot, presence, seconds));
    button.toggleAttribute("disabled", !(snapshot.you.includes(presence.claim.seat) && seconds === 0));
  }
}
