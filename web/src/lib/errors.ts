/** A failed call: the stable name, the server's text, and the details. */
export class Refusal extends Error {
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Present if the outcome of a write is unknown: repeats it with the same key. */
  readonly resend: (() => Promise<unknown>) | undefined;

  constructor(code: string, message: string, data: Record<string, unknown> = {}, resend?: () => Promise<unknown>) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.data = data;
    this.resend = resend;
  }
}
