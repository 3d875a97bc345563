import { useEffect, useState, type ComponentType } from 'react';
import { loadScreen } from '../lib/code';
import { t } from '../lib/i18n';
import { closeMenu, useMenu } from '../ui/menu';
import { toast } from '../ui/Toast';

const load = () => import('../features/menu/Menu');

/** Loads the menu when it is first opened. */
export function MenuLayer() {
  const open = useMenu((state) => state.open);
  const [Menu, setMenu] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (!open || Menu) return;
    loadScreen(load).then(
      (Screen) => setMenu(() => Screen),
      () => {
        closeMenu();
        toast(t('app.chunk'), { icon: 'warn' });
      },
    );
  }, [open, Menu]);
  return Menu && <Menu />;
}
