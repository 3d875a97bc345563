import type { NoticeKind } from '../../generated/api';

/** The page that shows what a message is about. */
export function pageOf(kind: NoticeKind, object: number | null): { path: string; query: Record<string, number> } | undefined {
  const query: Record<string, number> = object === null ? {} : { id: object };
  switch (kind) {
    case 'withdrawal':
      return object === null ? { path: 'assets/record', query: {} } : { path: 'assets/withdraw/detail', query };
    case 'deposit':
      return { path: 'assets/record', query: {} };
    case 'contract':
      return object === null ? { path: 'lever/index', query: {} } : { path: 'lever/index', query: { order: object } };
    case 'option':
      return object === null ? { path: 'option/detail', query: {} } : { path: 'option/detail', query: { order: object } };
    case 'order':
      return { path: 'index/orderlist', query };
    case 'plan':
      return { path: 'finance/ordersPage', query: {} };
    case 'subscription':
      return { path: 'publication/index', query: {} };
    case 'identity':
      return { path: 'verification/index', query: {} };
    case 'security':
      return { path: 'settings/security/index', query: {} };
    case 'loan':
      return { path: 'index/jied', query };
    case 'ticket':
      return object === null ? { path: 'help/center/tickets', query: {} } : { path: 'help/center/ticket', query };
    case 'chat':
      return { path: 'help/center/chat', query: {} };
    default:
      return undefined;
  }
}
