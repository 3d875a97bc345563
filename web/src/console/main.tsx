import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '../styles/tokens.css';
import '../styles/base.css';
import './styles.css';
import { followSystemTheme, setAppearance } from '../data/appearance';
import { configureHttp } from '../lib/http';
import { toast, Toasts } from '../ui/Toast';
import { App } from './App';
import { watchHands } from './idle';
import { forget, queryClient, refresh } from './reads';
import { end, useSession } from './session';
import { told } from './words';

configureHttp({
  token: () => useSession.getState().token,
  language: () => 'en',
  loggedOut: (refusal) => {
    if (useSession.getState().token) end(told(refusal));
  },
  identityNeeded: (refusal) => toast(told(refusal), { icon: 'warn' }),
  toast: (refusal) => toast(told(refusal), { icon: 'warn' }),
});

useSession.subscribe((now, before) => {
  if (now.token !== before.token) forget();
});

setAppearance({});
followSystemTheme();
watchHands(refresh);

const root = document.getElementById('root');
if (!root) throw new Error('no root');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <App />
    <Toasts />
  </QueryClientProvider>,
);
