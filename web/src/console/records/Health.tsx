import { useState } from 'react';
import { StatusChip } from '../../ui/Status';
import type { Feed, Settlement } from '../api';
import { Pools } from '../kit/Pools';
import { Screen, Section, Table } from '../kit/Screen';
import { Nothing, Ready, stamp } from '../kit/States';
import { span } from '../model/queue';
import { label } from '../model/values';
import { useRead } from '../reads';
import { Plot } from './Plot';
import { Sources } from './Sources';
import css from './records.module.css';

const EVERY = 15_000;
/** Points of a plot: an hour at one in 15 seconds. */
const KEPT = 240;

interface Point {
  at: number;
  stalest: number;
  behind: number;
}

/** Age of the last price; undefined if there was none. */
const age = ({ last_ms }: Feed, now: number): number | undefined => (last_ms === 0 ? undefined : now - last_ms);
const ago = (old: number | undefined): string => (old === undefined ? 'never' : `${span(old)} ago`);

const point = (now: Settlement, at: number): Point => ({
  at,
  stalest: Math.max(0, ...now.feeds.map((feed) => age(feed, now.time_ms) ?? 0)),
  behind: Math.max(0, ...now.nodes.map((node) => now.seq - node.seq)),
});

/** The state of everything automatic. Plots begin when this page is opened; no data is stored or invented. */
export default function Health() {
  const query = useRead('settlement', {}, { every: EVERY });
  const { data, dataUpdatedAt } = query;
  const [points, setPoints] = useState<readonly Point[]>([]);
  if (data && points.at(-1)?.at !== dataUpdatedAt) setPoints([...points, point(data, dataUpdatedAt)].slice(-KEPT));
  return (
    <Screen title="System" note={data && `Journal entry ${data.seq}, ${stamp(data.time_ms)}`} at={dataUpdatedAt}>
      <Ready query={query} what="The state of the system">
        {(now) => (
          <>
            <div className={css.cards}>
              <Plot title="Oldest price" unit="ms" points={points.map(({ at, stalest }) => ({ at, value: stalest }))} />
              <Plot title="Journal entries ahead of the rows" unit="" points={points.map(({ at, behind }) => ({ at, value: behind }))} />
            </div>
            <Section title="Must always hold">
              <ul className={css.invariants}>
                {now.invariants.map(({ name, ok }) => (
                  <li key={name}>
                    <StatusChip tone={ok ? 'done' : 'danger'} icon={ok ? 'check' : 'warn'}>
                      {ok ? 'holds' : 'broken'}
                    </StatusChip>
                    {label(name)}
                  </li>
                ))}
              </ul>
            </Section>
            <Section title="Price feeds">{now.feeds.length ? <Feeds feeds={now.feeds} now={now.time_ms} /> : <Nothing title="No feeds" />}</Section>
            <Sources every={EVERY} />
            <Section title="Nodes">
              <Table label="Nodes" head={['Name', 'Role', 'Entry', 'Entries behind']}>
                {now.nodes.map((node) => (
                  <tr key={node.name}>
                    <td>{node.name}</td>
                    <td>{node.role}</td>
                    <td className="num">{node.seq}</td>
                    <td className="num">{now.seq - node.seq}</td>
                  </tr>
                ))}
              </Table>
            </Section>
            <Section title="House accounts">
              <Pools pools={now.pools.filter(({ balance, reserve }) => /[1-9]/.test(balance + reserve))} />
            </Section>
          </>
        )}
      </Ready>
    </Screen>
  );
}

function Feeds({ feeds, now }: { feeds: readonly Feed[]; now: number }) {
  return (
    <Table label="Price feeds" head={['Pair', 'State', 'Last price', 'Sources']}>
      {feeds.map((feed) => (
        <tr key={feed.symbol}>
          <td className="m">{feed.symbol}</td>
          <td>
            {feed.stale ? <StatusChip tone="danger" icon="warn">Stale</StatusChip> : <StatusChip tone="done">Live</StatusChip>} {feed.pinned ? <StatusChip tone="caution">Pinned (sandbox)</StatusChip> : null}
          </td>
          <td className="num">{ago(age(feed, now))}</td>
          <td>
            {feed.sources.map(({ name, age_ms, ok }) => (
              <div key={name}>
                {name} <span className={ok ? 't2 num' : 'caution num'}>{ok ? `${age_ms} ms` : 'not used'}</span>
              </div>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}
