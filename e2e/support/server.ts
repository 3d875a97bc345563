import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BINARY = resolve(process.env.MERIDIAN_BIN ?? '../target/debug/meridian');
/** A debug build takes long for the genesis of a sandbox, and longer on a busy machine. */
const START_MS = 180_000;
/** Days of chart history that the genesis makes. The usual 90 take seconds of processor time. */
const CHART_DAYS = '30';
/** A call to a server that is not ready is repeated for this long, as in the app. */
const READY_MS = 60_000;

/** Start options besides the data directory and the address. */
export interface Options {
  genesis?: 'sandbox' | 'live';
  args?: readonly string[];
}

/** A private server, a sandbox unless specified otherwise: the given binary on a free port with a temporary data directory. */
export class Server {
  readonly url: string;
  readonly #port: number;
  readonly #options: Options;
  readonly #data = mkdtempSync(join(tmpdir(), 'meridian-e2e-'));
  #process: ChildProcess | undefined;
  #log = '';
  /** Newest entry in any answer, here or on a screen; later reads are at least that new. */
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

  /** Starts the process with the same data and port, and waits until it can serve. */
  async run(): Promise<void> {
    const listen = `127.0.0.1:${this.#port}`;
    const { genesis = 'sandbox', args = [] } = this.#options;
    const started = spawn(BINARY, ['serve', '--data', this.#data, '--listen', listen, '--genesis', genesis, '--chart-days', CHART_DAYS, ...args], {
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

  /** Kills the process, so that it cannot write anything on the way out. */
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

  /** Adds an operator on the machine itself; returns the path of the one-time link below the server's address. */
  operator(name: string, roles: string): string {
    const told = execFileSync(BINARY, ['operator', 'add', '--data', this.#data, '--name', name, '--roles', roles, '--member', 'none'], { encoding: 'utf8' });
    const link = /\/console\/#\/setup\/\S+/.exec(told)?.[0];
    if (!link) throw new Error(`no link for ${name}: ${told}`);
    return link;
  }

  /** The server's output, for the report of a failure. */
  get log(): string {
    return this.#log;
  }

  /** The newest code that would have been sent to this address. */
  async code(to: string): Promise<string> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const answer = await fetch(`${this.url}/sandbox/outbox?to=${encodeURIComponent(to)}`);
      const { message } = (await answer.json()) as { message: { code: string | null }[] };
      const code = Array.isArray(message) ? message[0]?.code : undefined;
      if (code) return code;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error(`no code for ${to} in the outbox`);
  }

  /** A call of the interface, as the app makes it; returns the payload, or throws an error with the refusal's name. */
  async call<T>(path: string, fields: Record<string, string> = {}, token = ''): Promise<T> {
    // Some calls of this form only read; the header has no effect on a write.
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...authorization(token), 'x-min-seq': String(this.#seq) };
    return this.#answer<T>(path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  }

  /** A call as in the contract; returns its whole answer, whether done or refused. */
  async ask(call: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<{ type: string; message: unknown; data: unknown }> {
    const [method = '', path = ''] = call.split(' ');
    const sent = new URLSearchParams(fields);
    const [query, body] = method === 'GET' ? [`?${sent}`, null] : ['', sent];
    const answer = await fetch(`${this.url}/api/${path}${query}`, { method, body, headers: { ...headers, 'x-min-seq': String(this.#seq) } });
    this.note(answer.headers.get('x-seq'));
    return (await answer.json()) as { type: string; message: unknown; data: unknown };
  }

  /** A call with a file. */
  async send<T>(path: string, body: FormData, token = ''): Promise<T> {
    return this.#answer<T>(path, { method: 'POST', headers: authorization(token), body });
  }

  /** A call that only reads. */
  async read<T>(path: string, fields: Record<string, string> = {}, token = ''): Promise<T> {
    return this.#answer<T>(`${path}?${new URLSearchParams(fields)}`, { headers: { ...authorization(token), 'x-min-seq': String(this.#seq) } });
  }

  /** Records the entry in an answer. */
  note(seq: string | null | undefined): void {
    this.#seq = Math.max(this.#seq, Number(seq ?? 0));
  }

  async #answer<T>(path: string, request: RequestInit): Promise<T> {
    for (const until = Date.now() + READY_MS; ; ) {
      const answer = await fetch(path.startsWith('/') ? this.url + path : `${this.url}/api/${path}`, request);
      this.note(answer.headers.get('x-seq'));
      const envelope = (await answer.json()) as { type: string; message: T; data?: { error?: string; retry_ms?: number } };
      if (envelope.type === 'ok') return envelope.message;
      const { error = envelope.type, retry_ms: wait = 200 } = envelope.data ?? {};
      // The app in the browser reads as the same member, so both together may be too many for a moment.
      if (!['E_NOT_READY', 'E_RATE'].includes(error) || Date.now() + wait > until) throw new Error(`${path}: ${error}`);
      await new Promise((wake) => setTimeout(wake, wait));
    }
  }
}

const authorization = (token: string): Record<string, string> => (token ? { authorization: token } : {});

/**
 * A port below those that systems assign to connections, because the port of a killed server must not be assigned to one of its callers.
 * Workers that run at the same time never try the same one.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = 20_000 + 4 * randomInt(3_000) + (Number(process.env.TEST_PARALLEL_INDEX) % 4);
    const probe = createServer();
    const free = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false));
      probe.listen(port, '127.0.0.1', () => done(true));
    });
    if (!free) continue;
    await new Promise((done) => probe.close(done));
    return port;
  }
  throw new Error('no free port');
}
