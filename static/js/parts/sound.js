// Synthesised sounds: each number has its own note, so a match is a tune.

const context = new AudioContext();

// Browsers play sound only after the first click or key.
for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => context.resume());

/**
 * @param {number} step on a pentatonic scale, where any two notes sound good together
 * @param {number} [after] seconds from now
 * @param {OscillatorType} [shape]
 */
function note(step, after = 0, shape = "triangle") {
  const start = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  const semitones = 12 * Math.floor(step / 5) + [0, 2, 4, 7, 9][step % 5];
  tone.type = shape;
  tone.frequency.value = 261.63 * 2 ** (semitones / 12);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.2, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.35);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + 0.4);
}

/** @param {number} number */
export function playMove(number) {
  note(number % 15);
}

export function playTurn() {
  note(10, 0.14, "sine");
  note(12, 0.28, "sine");
}

/** @param {boolean} won */
export function playEnd(won) {
  for (const [index, step] of (won ? [5, 7, 9, 10, 12] : [7, 5, 4]).entries()) note(step, 0.2 + 0.13 * index);
}
