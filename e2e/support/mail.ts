import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface Letter {
  to: string;
  text: string;
}

/** A mail server that stores what it receives, with as much of SMTP as a sender needs. */
export class Mail {
  readonly url: string;
  readonly #server: Server;
  readonly #letters: Letter[];

  private constructor(server: Server, letters: Letter[], port: number) {
    this.#server = server;
    this.#letters = letters;
    this.url = `smtp://127.0.0.1:${port}`;
  }

  static async start(): Promise<Mail> {
    const letters: Letter[] = [];
    const server = createServer((socket) => receive(socket, letters));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    if (!address || typeof address !== 'object') throw new Error('no port');
    return new Mail(server, letters, address.port);
  }

  /** The code in the newest message to this address, once it has come. */
  async code(to: string): Promise<string> {
    for (let attempt = 0; attempt < 600; attempt++) {
      const code = /\b\d{6}\b/.exec(this.#letters.findLast((letter) => letter.to === to)?.text ?? '')?.[0];
      if (code) return code;
      await new Promise((wake) => setTimeout(wake, 100));
    }
    throw new Error(`no letter with a code for ${to}`);
  }

  stop(): void {
    this.#server.close();
  }
}

function receive(socket: Socket, letters: Letter[]): void {
  const letter = { to: '', text: '' };
  let inside = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    if (inside) {
      inside = line !== '.';
      if (inside) letter.text += `${line}\n`;
      else {
        letters.push({ ...letter });
        say('250 kept');
      }
      return;
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'DATA') {
      inside = true;
      letter.text = '';
      say('354 go on');
    } else if (verb === 'QUIT') {
      say('221 bye');
      socket.end();
    } else {
      if (verb === 'RCPT') letter.to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      say('250 well');
    }
  });
  say('220 ready');
}
