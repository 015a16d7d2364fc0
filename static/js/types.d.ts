// Names for what the server sends; docs/protocol.md describes it.

export type Seat = 1 | 2;
export type Move = number | "pass";

export interface GameEvent {
  type: string;
  seat?: Seat;
  number?: number;
  position?: number;
  [field: string]: unknown;
}

export interface Outcome {
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
  turn: Seat;
  outcome: Outcome | null;
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
  players: Record<string, { name: string; level?: string; about?: string } | null>;
  first_state: any;
  history: Entry[];
  series: Series;
  rematch: { offered_by: Seat | null; next: string | null };
}

export interface Update extends Entry, Position {
  type: "update";
  id: string | null;
  series?: Series;
}

export interface Presence {
  type: "presence";
  players: Record<string, "here" | "away" | null>;
  spectators: number;
  claim: { seat: Seat; in: number } | null;
}

export interface Rejected {
  type: "rejected";
  id: string | null;
  code: string;
  text: string;
  version: number;
}

export interface Hint {
  type: "hint";
  id: string;
  version: number;
  move: Move;
  winner: Seat | null;
  text: string;
}

/** Who reacted: a seat, or null for a spectator. */
export interface Reaction {
  type: "reaction";
  by: Seat | null;
  reaction: string;
}

/** A listed match that is being played, as the lobby tells of it. */
export interface Live {
  id: string;
  game: string;
  options: Record<string, unknown>;
  players: Record<string, { name: string }>;
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

/** A position of a finished match, or one that was tried from there. */
export interface Exploration {
  state: any;
  legal: Move[];
  why: Record<string, string>;
  turn: Seat;
  outcome: Outcome | null;
  events: GameEvent[][];
  solution: Solution | null;
}

export interface Mark {
  number: number;
  seat: Seat;
  move: Move;
  kind: "kept" | "gave_away" | "already_lost" | "unsolved";
  mattered: boolean;
  keeping: Move[];
  best: Move[];
  sentence: string;
}

export interface Review {
  holders: (Seat | null)[];
  marks: Mark[];
  turning_point: number | null;
  accuracy: { kept: number; mattered: number }[];
  summary: string;
}

/** What a board is asked to draw. */
export interface View {
  state: any;
  legal: Set<Move>;
  why: Record<string, string>;
  /** The seat to move, or null when nobody is: the match is over or somebody looks back. */
  turn: Seat | null;
  /** Whether whoever looks at this board may move now. */
  mine: boolean;
  /** The move that is on its way. */
  pending: Move | null;
  /** What happened last, to be marked. */
  last: GameEvent[];
}

/** A number was touched. */
export type Pick = (move: Move, tile: HTMLElement) => void;

export type CreateBoard = (root: HTMLElement, first: any, pick: Pick) => Board;

/** What `static/games/<slug>/board.js` exports. */
export interface BoardModule {
  createBoard: CreateBoard;
  /** What may come next: what the player to move is told, and what everyone else is told. */
  nextMove(state: any): [string, string];
  /** What a move did, by type of event: told to the player, and to everyone else. Other events are left out. */
  told: Record<string, (event: GameEvent) => [string, string]>;
}

export interface Board {
  draw(view: View): void;
  /** Show what a move did; the view after it has been drawn already. */
  animate(events: GameEvent[]): void;
  /** Point at what forbids a move, and draw why; null where words say enough. */
  explain(move: Move): Element | null;
}
