import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { useScreen } from '../lib/code';
import { t } from '../lib/i18n';
import { back, href } from '../lib/nav';
import { IconButton, IconLink } from './Button';
import { Icon } from './Icon';
import * as icons from './icons';
import css from './Layout.module.css';

interface HeaderProps {
  title?: ReactNode;
  /** Left of the title; a back button if absent. */
  start?: ReactNode;
  /** At most two actions. */
  end?: ReactNode;
  /** Adds a link to help as the last action, on screens of money, identity and security. */
  help?: boolean;
  /** Title beside `start` instead of centred. */
  left?: boolean;
}

/** The heading of a page is its title in browser tabs and history. */
function useTitle() {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const [name, heading] = [t('app.name'), place.current?.parentElement?.querySelector('h1')?.textContent];
    document.title = heading && heading !== name ? `${heading} \u00b7 ${name}` : name;
  });
  return place;
}

export function Header({ title, start, end, help = false, left = false }: HeaderProps) {
  const place = useTitle();
  return (
    <header ref={place} className={css.header}>
      {start ?? (
        <IconButton label={t('ui.back')} onClick={back}>
          <Icon name="back" />
        </IconButton>
      )}
      <div className={left ? css.titleLeft : css.titleMid}>{typeof title === 'string' ? <h1 className={css.title}>{title}</h1> : title}</div>
      <div className={css.end}>
        {end}
        {help && (
          <IconLink label={t('help.title')} href={href('help-center')}>
            <Icon name={icons.help} />
          </IconLink>
        )}
      </div>
    </header>
  );
}

interface ScreenProps extends HeaderProps {
  header?: ReactNode;
  /** Stays at the bottom, with the commit button. */
  footer?: ReactNode;
  /** Pull to refresh; the promise ends the spinner. */
  onRefresh?: () => Promise<unknown>;
  children: ReactNode;
}

const pull = () => import('./PullToRefresh');
/** A page cannot be pulled before it is drawn, so this code loads after the first page. */
function Pull(props: ComponentProps<Awaited<ReturnType<typeof pull>>['default']>) {
  const screen = useScreen(pull);
  return screen !== 'loading' && 'Screen' in screen && <screen.Screen {...props} />;
}

/** Frame of every screen: header, scrolling content, optional footer. */
export function Screen({ header, footer, onRefresh, children, ...head }: ScreenProps) {
  const main = useRef<HTMLElement>(null);
  return (
    <>
      {header ?? <Header {...head} />}
      {/* Focusable, so that a page of text scrolls by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <main ref={main} className={css.main} data-scroll="" tabIndex={0}>
        {onRefresh && <Pull scroller={main} onRefresh={onRefresh} />}
        {children}
      </main>
      {footer && <footer className={css.footer}>{footer}</footer>}
    </>
  );
}

/** Heading of a part of a screen with at most one link. */
export const Section = ({ title, aside }: { title: ReactNode; aside?: ReactNode }) => (
  <div className={css.section}>
    <h2 className="h3">{title}</h2>
    {aside}
  </div>
);

export const Card = ({ children, tight = false, ...rest }: Omit<ComponentProps<'section'>, 'className'> & { tight?: boolean }) => (
  <section {...rest} className={tight ? `${css.card} ${css.tight}` : css.card}>
    {children}
  </section>
);

interface RowProps {
  /** Disc or icon. */
  lead?: ReactNode;
  title: ReactNode;
  sub?: ReactNode;
  middle?: ReactNode;
  /** Right, tabular. */
  value?: ReactNode;
  valueSub?: ReactNode;
  /** The whole row is the link. */
  href?: string;
  onClick?: () => void;
  /** One secondary control with its own 44 px. */
  action?: ReactNode;
  chevron?: boolean;
}

export function Row({ lead, title, sub, middle, value, valueSub, href, onClick, action, chevron = false }: RowProps) {
  const body = (
    <>
      {lead && <span className={css.lead}>{lead}</span>}
      <span className={css.rowText}>
        <span className={css.rowTitle}>{title}</span>
        {sub && <span className="cap t3">{sub}</span>}
      </span>
      {middle && <span className={css.middle}>{middle}</span>}
      {(value !== undefined || valueSub !== undefined) && (
        <span className={css.value}>
          <span className="num b">{value}</span>
          {valueSub && <span className="lab num">{valueSub}</span>}
        </span>
      )}
      {chevron && (
        <span className="t3 flex">
          <Icon name="forward" size={18} />
        </span>
      )}
    </>
  );
  return (
    <div className={css.row}>
      {href ? (
        <a className={css.rowMain} href={href}>
          {body}
        </a>
      ) : onClick ? (
        <button type="button" className={css.rowMain} onClick={onClick}>
          {body}
        </button>
      ) : (
        <div className={css.rowMain}>{body}</div>
      )}
      {action}
    </div>
  );
}

/** Rows on one surface with hairlines between them. */
export const Group = ({ children }: { children: ReactNode }) => <div className={css.group}>{children}</div>;
