import { useFirstUse } from '../../data/firstUse';
import { useQuestions } from '../../ui/FirstUse';
import { Sheet } from '../../ui/Sheet';

/** What a contract can cost, and three questions, before the first one. */
export default function RiskSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const first = useFirstUse('contract');
  const { title, body, footer } = useQuestions('contract', first.text, first.accept);
  return (
    <Sheet open={open} onClose={onClose} title={title} footer={footer}>
      {body}
    </Sheet>
  );
}
