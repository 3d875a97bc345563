/** The only Trusted Types policy. Only ui/RichText uses it, to parse `html` into an inert document. */
interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML: (text: string) => string };
}
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
const policy = factory?.createPolicy('meridian', { createHTML: (text) => text });

export const inertHtml = (text: string): Document => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');
