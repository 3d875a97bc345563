import { useEffect, useEffectEvent, useState, type ComponentType } from 'react';
import { loadScreen, type Load } from '../lib/code';
import { t } from '../lib/i18n';
import { toast } from './Toast';

interface SheetProps {
  open: boolean;
  onClose: () => void;
}

/** A sheet whose code is loaded when it is first opened. */
export function LazySheet<P extends SheetProps>({ load, ...props }: P & { load: Load<{ default: ComponentType<P> }> }) {
  const { open, onClose } = props;
  const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const failed = useEffectEvent(() => {
    onClose();
    toast(t('app.chunk'), { icon: 'warn' });
  });
  useEffect(() => {
    if (open && !Loaded) loadScreen(load).then((Screen) => setLoaded(() => Screen), () => failed());
  }, [open, Loaded, load]);
  return Loaded && <Loaded {...(props as unknown as P)} />;
}
