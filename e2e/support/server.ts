import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BINARY = resolve(process.env.MERIDIAN_BIN ?? '../target/debug/meridian');
/** Genesis of a sandbox makes 90 days of chart history; a debug build takes its time. */
const START_MS = 90_000;

/** What a server is started with besides its data and its address. */
export interface Options {
  genesis?: 'sandbox' | 'live';
  args?: readonly string[];
}

/** A server of its own, a sandbox unless asked otherwise: the given binary on a free port with a temporary data directory. */
export class Server {
  readonly url: string;
  readonly #port: number;
  readonly #options: Options;
  readonly #data = mkdtempSync(join(tmpdir(), 'meridian-e2e-'));
  #process: ChildProcess | undefined;
  #log = '';
  /** Newest entry that an answer told of: what is read afterwards is at least that new. */
  #seq = 0;

  private constructor(port: number, options: Options) {
    this.#port = port;
    this.#options = options;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(options: Options = {}): Promise<Server> {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is not there: run \`cargo build -p server\` or set MERIDIAN_BIN`);
    const server = new Server(await freePort(), options);
    await server.run();
    return server;
  }

  /** Starts the process on the same data and port, and waits until it may serve. */
  async run(): Promise<void> {
    const listen = `127.0.0.1:${this.#port}`;
    const { genesis = 'sandbox', args = [] } = this.#options;
    const started = spawn(BINARY, ['serve', '--data', this.#data, '--listen', listen, '--genesis', genesis, ...args], {
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

  /** Adds an operator on the machine itself: the place of the one-time link, below the server's address. */
  operator(name: string, roles: string): string {
    const told = execFileSync(BINARY, ['operator', 'add', '--data', this.#data, '--name', name, '--roles', roles], { encoding: 'utf8' });
    const link = /\/console\/#\/setup\/\S+/.exec(told)?.[0];
    if (!link) throw new Error(`no link for ${name}: ${told}`);
    return link;
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
    return this.#answer<T>(`${path}?${new URLSearchParams(fields)}`, { headers: { ...authorization(token), 'x-min-seq': String(this.#seq) } });
  }

  async #answer<T>(path: string, request: RequestInit): Promise<T> {
    const answer = await fetch(path.startsWith('/') ? this.url + path : `${this.url}/api/${path}`, request);
    this.#seq = Math.max(this.#seq, Number(answer.headers.get('x-seq') ?? 0));
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
