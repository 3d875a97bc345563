declare module '@noble/hashes/sha2.js?512' {
  export { sha512 } from '@noble/hashes/sha2.js';
}
