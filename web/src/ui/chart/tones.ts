/** The line of a chart as a tone that rises and falls with it. */

/** Of the lowest and the highest price, hertz: two octaves, which small loudspeakers still have. */
const [LOW, HIGH] = [220, 880];
/** So many of the last prices sound, each for so many seconds. */
const MOST = 60;
const STEP = 0.07;
/** Seconds in which it comes and goes: a tone that begins at once is a crack. */
const FADE = 0.05;
const LOUDNESS = 0.2;

/** The pitch of each price, hertz; equal steps of the price are equal steps of the ear. */
export function pitches(prices: readonly number[]): number[] {
  const last = prices.slice(-MOST);
  const [lowest, highest] = [Math.min(...last), Math.max(...last)];
  return last.map((price) => LOW * (HIGH / LOW) ** (highest > lowest ? (price - lowest) / (highest - lowest) : 0.5));
}

function sound(context: AudioContext, hertz: readonly number[], done: () => void): void {
  const tone = context.createOscillator();
  const volume = context.createGain();
  const [start, end] = [context.currentTime + FADE, context.currentTime + FADE + hertz.length * STEP];
  tone.frequency.setValueAtTime(hertz[0] ?? LOW, start);
  hertz.forEach((pitch, n) => tone.frequency.linearRampToValueAtTime(pitch, start + n * STEP));
  volume.gain.setValueAtTime(0, context.currentTime);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start);
  volume.gain.setValueAtTime(LOUDNESS, end);
  volume.gain.linearRampToValueAtTime(0, end + FADE);
  tone.connect(volume).connect(context.destination);
  tone.addEventListener('ended', done, { once: true });
  tone.start();
  tone.stop(end + FADE);
}

/** Lets the prices sound once they are known. `ended` is called once, also when what it gives was called to end it before. */
export function play(prices: Promise<readonly number[]>, ended: (failed: boolean) => void): () => void {
  // Made while the button is pressed: later the browser keeps it silent.
  const context = new AudioContext();
  let over = false;
  const end = (failed: boolean) => {
    if (over) return;
    over = true;
    void context.close();
    ended(failed);
  };
  prices.then((known) => !over && sound(context, pitches(known), () => end(false))).catch(() => end(true));
  return () => end(false);
}
