import { useFirstUse } from '../../data/firstUse';
import { useQuestions } from '../../ui/FirstUse';
import { Sheet } from '../../ui/Sheet';

/** What a new coin can cost, and three questions, before the first one. */
export default function RiskSheet({ open, onClose, onDone }: { open: boolean; onClose: () => void; onDone: () => void }) {
  const first = useFirstUse('subscription');
  const { title, body, footer } = useQuestions('subscription', first.text, () => {
    first.accept();
    onDone();
  });
  return (
    <Sheet open={open} onClose={onClose} title={title} footer={footer}>
      {body}
    </Sheet>
  );
}
