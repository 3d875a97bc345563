import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BINARY = resolve(process.env.MERIDIAN_BIN ?? '../target/debug/meridian');
/** Genesis of a sandbox makes 90 days of chart history; a debug build takes its time. */
const START_MS = 90_000;

/** A sandbox of its own: the given binary on a free port with a temporary data directory. */
export class Server {
  readonly url: string;
  readonly #port: number;
  readonly #data = mkdtempSync(join(tmpdir(), 'meridian-e2e-'));
  #process: ChildProcess | undefined;
  #log = '';

  private constructor(port: number) {
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Server> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run \`cargo build -p server\` or set MERIDIAN_BIN`);
    const server = new Server(await freePort());
    await server.run();
    return server;
  }

  /** Starts the process on the same data and port, and waits until it may serve. */
  async run(): Promise<void> {
    const listen = `127.0.0.1:${this.#port}`;
    const started = spawn(BINARY, ['serve', '--data', this.#data, '--listen', listen, '--genesis', 'sandbox'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = started;
    const keep = (text: Buffer) => {
      this.#log = (this.#log + text.toString()).slice(-20_000);
    };
    started.stdout?.on('data', keep);
    started.stderr?.on('data', keep);
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline) {
      if (started.exitCode !== null) break;
      const ready = await fetch(`${this.url}/readyz`).then((answer) => answer.status === 200, () => false);
      if (ready) return;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error(`the server did not become ready:\n${this.#log}`);
  }

  /** The hard way: no chance to write anything on the way out. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    const gone = new Promise((done) => running.once('exit', done));
    running.kill('SIGKILL');
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** What the server printed, for a failure's report. */
  get log(): string {
    return this.#log;
  }

  /** The newest code that would have been sent to this address. */
  async code(to: string): Promise<string> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const answer = await fetch(`${this.url}/sandbox/outbox?to=${encodeURIComponent(to)}`);
      const { message } = (await answer.json()) as { message: { code: string | null }[] };
      const code = Array.isArray(message) ? message[0]?.code : undefined;
      if (code) return code;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error(`no code for ${to} in the outbox`);
  }

  /** A call of the interface, as the app makes it; the payload, or an error with the refusal's name. */
  async call<T>(path: string, fields: Record<string, string> = {}, token = ''): Promise<T> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...authorization(token) };
    return this.#answer<T>(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  /** A call that only reads. */
  async read<T>(path: string, fields: Record<string, string> = {}, token = ''): Promise<T> {
    return this.#answer<T>(`${path}?${new URLSearchParams(fields)}`, { headers: authorization(token) });
  }

  async #answer<T>(path: string, request: RequestInit): Promise<T> {
    const answer = await fetch(path.startsWith('/') ? this.url + path : `${this.url}/api/${path}`, request);
    const envelope = (await answer.json()) as { type: string; message: T; data?: { error?: string } };
    if (envelope.type !== 'ok') throw new Error(`${path}: ${envelope.data?.error ?? envelope.type}`);
    return envelope.message;
  }
}

const authorization = (token: string): Record<string, string> => (token ? { authorization: token } : {});

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))));
    });
  });
}
