import { create } from 'zustand';
import { t } from '../lib/i18n';
import { IconButton } from './Button';
import { Icon } from './Icon';

/** The app has one left menu; every tab page opens it from its header. */
export const useMenu = create<{ open: boolean }>(() => ({ open: false }));
export const closeMenu = () => useMenu.setState({ open: false });

export const MenuButton = () => (
  <IconButton label={t('menu.open')} onClick={() => useMenu.setState({ open: true })}>
    <Icon name="menu" />
  </IconButton>
);
