// Types of the server's messages, which docs/protocol.md describes, and of what a board draws.

export type Seat = 1 | 2;
export type Move = number | "pass";

/** A value in a sentence. `player` is a seat, and `you` is the template for the reader who sits there. */
export type Value = number | string | Said | Value[];

/** Sent beside an English text, so that a page can say the same in the reader's language. */
export interface Said {
  template: string;
  values: Record<string, Value>;
  you?: string;
}

/** Why some numbers may not be played now; `{number}` in the template is any of them. */
export interface Reason extends Said {
  numbers: number[];
}

export interface GameEvent {
  type: string;
  seat?: Seat;
  number?: number;
  position?: number;
  [field: string]: unknown;
}

export interface Outcome extends Said {
  winner: Seat;
  code: string;
  text: string;
}

export interface Entry {
  version: number;
  seat: Seat;
  move: Move | null;
  decision: string | null;
  events: GameEvent[];
  state: any;
}

export interface Position {
  version: number;
  state: any;
  legal: Move[];
  why: Record<string, string>;
  reasons: Reason[];
  turn: Seat;
  outcome: Outcome | null;
}

/** `level` and `about` are the computer's; the template and values are those of `about`. `former`: they left for good. */
export interface Player extends Partial<Said> {
  name: string;
  level?: string;
  former?: boolean;
  about?: string;
}

export interface Series {
  number: number;
  score: Record<string, number>;
}

export interface Snapshot extends Position {
  type: "snapshot";
  id: string;
  you: Seat[];
  game: string;
  options: Record<string, unknown>;
  status: string;
  listed: boolean;
  same_device: boolean;
  pace: "now" | "no-hurry";
  players: Record<string, Player | null>;
  first_state: any;
  history: Entry[];
  series: Series;
  rematch: Rematch;
}

/** Who offers another match, of which game, and the id of the next match. */
export interface Rematch {
  offered_by: Seat | null;
  game: string | null;
  next: string | null;
}

/** One of the reader's own matches, as lists show it. */
export interface Mine {
  id: string;
  game: string;
  options: Record<string, unknown>;
  status: "your-turn" | "waiting" | "open" | "finished" | "cancelled" | "expired";
  opponent: Player | null;
  you: Seat[];
  turn: Seat | null;
  outcome: Outcome | null;
  url: string;
  version: number;
  listed: boolean;
  same_device: boolean;
  series: Series;
  rematch: Rematch;
  created: number;
  moved: number | null;
  ended: number | null;
}

export interface Update extends Entry, Position {
  type: "update";
  id: string | null;
  series?: Series;
}

export interface Presence {
  type: "presence";
  players: Record<string, "here" | "away" | null>;
  /** Players who are away and haven't been on the match's page since it began. */
  unseen: Seat[];
  spectators: number;
  claim: { seat: Seat; in: number } | null;
}

export interface Rejected extends Said {
  type: "rejected";
  id: string | null;
  code: string;
  text: string;
  version: number;
}

export interface Hint extends Said {
  type: "hint";
  id: string;
  version: number;
  move: Move;
  winner: Seat | null;
  text: string;
}

export interface Reaction {
  type: "reaction";
  /** A seat, or null for a spectator. */
  by: Seat | null;
  reaction: string;
}

/** A listed match that is being played, as the lobby's socket sends it. */
export interface Live {
  id: string;
  game: string;
  options: Record<string, unknown>;
  players: Record<string, Player>;
  version: number;
  state: any;
  turn: Seat;
  spectators: number;
}

export interface Verdict {
  move: Move;
  winner: Seat | null;
  distance: number | null;
}

export interface Solution {
  turn: Seat;
  winner: Seat | null;
  distance: number | null;
  verdicts: Verdict[];
  best: Move[];
}

/** A position of a finished match, or one that the reader reached by trying other moves. */
export interface Exploration {
  state: any;
  legal: Move[];
  why: Record<string, string>;
  reasons: Reason[];
  turn: Seat;
  outcome: Outcome | null;
  events: GameEvent[][];
  solution: Solution | null;
}

export interface Mark extends Said {
  number: number;
  seat: Seat;
  move: Move;
  kind: "kept" | "gave_away" | "already_lost" | "unsolved";
  mattered: boolean;
  keeping: Move[];
  best: Move[];
  /** Explains the mark; the template and values are its own. */
  sentence: string;
}

export interface Review extends Said {
  holders: (Seat | null)[];
  marks: Mark[];
  turning_point: number | null;
  accuracy: { kept: number; mattered: number }[];
  /** The review in one sentence; the template and values are its own. */
  summary: string;
}

/** What a board draws. */
export interface View {
  state: any;
  legal: Set<Move>;
  why: Record<string, string>;
  /** The seat to move, or null if nobody can: the match is over, or an earlier move is shown. */
  turn: Seat | null;
  /** Whether the reader may move now. */
  mine: boolean;
  /** The move that was sent but not answered yet. */
  pending: Move | null;
  /** The events of the last move, to highlight it. */
  last: GameEvent[];
}

/** Called when the player clicks or taps a number. */
export type OnPick = (move: Move, tile: HTMLElement) => void;

export type CreateBoard = (root: HTMLElement, first: any, onPick: OnPick) => Board;

/** What `static/games/<slug>/board.js` exports. */
export interface BoardModule {
  createBoard: CreateBoard;
  /** What may come next: what the player to move is told, and what everyone else is told. */
  nextMove(state: any): [string, string];
  /** What a move did, by type of event: told to the player, and to everyone else. Other events are left out. */
  told: Record<string, (event: GameEvent) => [string, string]>;
  /** The number that people call a move by, where that isn't the move itself. */
  numberOf?(state: any, move: Move): number;
}

export interface Board {
  draw(view: View): void;
  /** Show what a move did. The view after it has been drawn already. */
  animate(events: GameEvent[]): void;
  /** Shake what forbids a move and return a drawing of why, or null if the text says enough. */
  explain(move: Move): Element | null;
}
