import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './server.ts';

const INSTALLED = '/usr/lib/postgresql';

/** A private PostgreSQL server with its own data and port, deleted at the end. */
export class Postgres {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(port: number, process: ChildProcess, folder: string) {
    this.url = `postgres://meridian@127.0.0.1:${port}/postgres`;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(): Promise<Postgres> {
    const bin = binaries();
    const folder = mkdtempSync('/tmp/meridian-postgres-');
    // If this process is root, the server runs as another user, who must reach its folder.
    chmodSync(folder, 0o777);
    const data = join(folder, 'data');
    const [program, ...words] = asPlainUser(join(bin, 'initdb'));
    execFileSync(program, [...words, '-k', '-N', '-A', 'trust', '-U', 'meridian', '-E', 'UTF8', '--locale=C', '-D', data], { cwd: '/tmp' });
    const port = await freePort();
    const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=16MB'];
    const [server, ...options] = asPlainUser(join(bin, 'postgres'));
    const started = spawn(server, [...options, '-D', data, ...settings.flatMap((setting) => ['-c', setting])], { cwd: '/tmp', stdio: 'ignore' });
    for (let attempt = 0; attempt < 300; attempt++) {
      if (ready(bin, port)) return new Postgres(port, started, folder);
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error('PostgreSQL did not become ready');
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.#process.once('exit', done));
    this.#process.kill('SIGQUIT');
    await gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The folder with the newest installed server. */
function binaries(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const all = versions.map((version) => join(INSTALLED, version, 'bin')).filter((bin) => existsSync(join(bin, 'initdb')));
  const newest = all.sort().at(-1);
  if (!newest) throw new Error('PostgreSQL is needed: apt-get install -y --no-install-recommends postgresql');
  return newest;
}

/** PostgreSQL refuses to run as root. */
const asPlainUser = (program: string): [string, ...string[]] =>
  process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', program] : [program];

function ready(bin: string, port: number): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]);
    return true;
  } catch {
    return false;
  }
}
