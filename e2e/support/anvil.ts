import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const SYSTEM = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
const PROGRAM = resolve(process.env.ANVIL_PATH ?? `node_modules/@foundry-rs/anvil-${SYSTEM}/bin/anvil`);
/** The token that the watcher's tests use. */
const TOKEN = `0x${readFileSync(resolve('../crates/chain/tests/support/token.hex'), 'utf8').trim()}`;
/** The address of USDT on Ethereum; a watcher accepts no other contract. */
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

const word = (hex: string): string => hex.replace('0x', '').padStart(64, '0');

/** A private Ethereum node that claims to be the main network. It makes blocks only on request. */
export class Anvil {
  readonly url: string;
  readonly #process: ChildProcess;
  #payer = '';

  private constructor(process: ChildProcess, url: string) {
    this.#process = process;
    this.url = url;
  }

  static async start(): Promise<Anvil> {
    if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not there: run \`npm ci\` in e2e or set ANVIL_PATH`);
    const started = spawn(PROGRAM, ['--host', '127.0.0.1', '--port', '0', '--no-mining', '--chain-id', '1'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const url = await new Promise<string>((done, fail) => {
      started.once('error', fail);
      started.once('exit', (code) => fail(new Error(`anvil ended with ${code}`)));
      createInterface({ input: started.stdout }).on('line', (line) => {
        const place = /^Listening on (\S+)/.exec(line)?.[1];
        if (place) done(`http://${place}`);
      });
    });
    const anvil = new Anvil(started, url);
    await anvil.#issue();
    return anvil;
  }

  /** Puts a token at the address of USDT, with money for the payer. */
  async #issue(): Promise<void> {
    [this.#payer = ''] = await this.#call<string[]>('eth_accounts');
    const tx = await this.#call<string>('eth_sendTransaction', { from: this.#payer, data: TOKEN, gas: '0x1e8480' });
    await this.mine(1);
    const { contractAddress } = await this.#call<{ contractAddress: string }>('eth_getTransactionReceipt', tx);
    await this.#call('anvil_setCode', USDT, await this.#call<string>('eth_getCode', contractAddress, 'latest'));
    const balance = await this.#call<string>('web3_sha3', `0x${word(this.#payer)}${word('0')}`);
    await this.#call('anvil_setStorageAt', USDT, balance, `0x${word((10n ** 15n).toString(16))}`);
  }

  /** Sends this many millionths of a USDT in the next block; returns the transaction. */
  async transfer(to: string, atoms: bigint): Promise<string> {
    return this.#call<string>('eth_sendTransaction', { from: this.#payer, to: USDT, data: `0xa9059cbb${word(to)}${word(atoms.toString(16))}`, gas: '0x1e8480' });
  }

  async mine(blocks: number): Promise<void> {
    await this.#call('anvil_mine', blocks);
  }

  async #call<T>(method: string, ...params: unknown[]): Promise<T> {
    const answer = await fetch(this.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  stop(): void {
    this.#process.removeAllListeners('exit');
    this.#process.kill('SIGKILL');
  }
}
