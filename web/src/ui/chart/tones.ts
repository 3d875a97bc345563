/** The line of a chart as a tone that rises and falls with it. */

/** The pitch of the lowest and the highest price, hertz: two octaves that small loudspeakers can play. */
const [LOW, HIGH] = [220, 880];
/** How many of the last prices are played, and for how many seconds each. */
const MOST = 60;
const STEP = 0.07;
/** Seconds of fade-in and fade-out; a tone that starts abruptly clicks. */
const FADE = 0.05;
const LOUDNESS = 0.2;

/** The pitch of each price, hertz; equal steps of the price sound like equal steps. */
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

/** Plays the prices once they are known. `ended` is called once, also if the returned function ended it early. */
export function play(prices: Promise<readonly number[]>, ended: (failed: boolean) => void): () => void {
  // Created during the press, because a browser keeps a later one silent.
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
