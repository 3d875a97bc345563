import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { inertHtml } from '../lib/trusted';
import css from './RichText.module.css';

const TAGS = new Set(['p', 'br', 'b', 'strong', 'i', 'em', 'u', 's', 'ul', 'ol', 'li', 'h2', 'h3', 'h4', 'blockquote', 'code', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'hr']);

function children(node: Node): ReactNode[] {
  return [...node.childNodes].map((child, n) => <Fragment key={n}>{toReact(child)}</Fragment>);
}

function toReact(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const tag = node.tagName.toLowerCase();
  if (tag === 'a') {
    const target = node.getAttribute('href') ?? '';
    if (!/^(https:\/\/|#\/|mailto:)/.test(target)) return children(node);
    const outside = !target.startsWith('#');
    return (
      <a href={target} {...(outside && { target: '_blank', rel: 'noopener noreferrer' })}>
        {children(node)}
      </a>
    );
  }
  if (tag === 'script' || tag === 'style' || tag === 'template') return null;
  if (!TAGS.has(tag)) return children(node);
  const inner = children(node);
  return createElement(tag, null, ...(inner.length ? [inner] : []));
}

/** Turns an `html` field of the wire into elements: a short list of tags, and no attributes except a safe link. */
export function RichText({ html }: { html: string }) {
  const content = useMemo(() => children(inertHtml(html).body), [html]);
  return <div className={css.rich}>{content}</div>;
}
