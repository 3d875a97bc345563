import { StatusChip, type Tone } from '../../ui/Status';
import type { PriceSource } from '../api';
import { Section, Table } from '../kit/Screen';
import { Nothing, Ready } from '../kit/States';
import { span } from '../model/queue';
import { useRead } from '../reads';

const STATES: Record<PriceSource['state'], { tone: Tone; text: string }> = {
  open: { tone: 'done', text: 'Connected' },
  connecting: { tone: 'caution', text: 'Connecting' },
  waiting: { tone: 'danger', text: 'Away' },
  idle: { tone: 'caution', text: 'Not used' },
};
const REJECTED = { price: 'no price', time: 'time', order: 'out of order' } as const;
const UNUSED = { stale: 'too old', deviation: 'too far', nonpositive: 'no price' } as const;
/** Older quotes do not count towards the index, ms. */
const STALE = 5_000;

/** The venues behind a live market: their connections, and their quotes of each pair. */
export function Sources({ every }: { every: number }) {
  const query = useRead('sources', {}, { every });
  return (
    <Section title="Price sources">
      <Ready query={query} what="The price sources">
        {({ market, sources }) =>
          market === 'simulated' ? <Nothing title="Prices are simulated" /> : sources.map((source) => <Source key={source.name} source={source} />)
        }
      </Ready>
    </Section>
  );
}

function Source({ source }: { source: PriceSource }) {
  const { tone, text } = STATES[source.state];
  const { name, fault, strays } = source;
  return (
    <>
      <p>
        <b>{name}</b> <StatusChip tone={tone}>{text}</StatusChip>{' '}
        <span className="t2 num">
          for {span(source.since_ms)}, connections: {source.connections}
          {strays > 0 && `, unreadable messages: ${strays}`}
          {fault && `, last fault: ${fault}`}
        </span>
      </p>
      {source.pairs.length > 0 && (
        <Table label={name} head={['Pair', 'Last price', 'Age', 'From the index', 'Accepted', 'Rejected', 'Not counted, last 5 min']}>
          {source.pairs.map((pair) => (
            <tr key={pair.symbol}>
              <td className="m">
                {pair.symbol} <span className="t2">{pair.inverse ? `1 / ${pair.asked_as}` : pair.asked_as}</span>
              </td>
              <td className="num">{pair.price ?? 'none'}</td>
              <td className={pair.age_ms === null || pair.age_ms > STALE ? 'caution num' : 'num'}>{pair.age_ms === null ? 'never' : `${pair.age_ms} ms`}</td>
              <td className="num">{pair.deviation === null ? 'unknown' : `${pair.deviation} %`}</td>
              <td className="num">{pair.accepted}</td>
              <td className="num">
                {pair.rejected} ({pair.rejected_share} %){pair.rejected_for && <span className="t2"> last: {REJECTED[pair.rejected_for]}</span>}
              </td>
              <td className={pair.unused > 0 ? 'caution num' : 'num'}>
                {pair.unused} of {pair.samples} ({pair.unused_share} %){pair.unused_for && <span className="t2"> last: {UNUSED[pair.unused_for]}</span>}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
