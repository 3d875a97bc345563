import { href } from '../../lib/nav';
import { Icon } from '../../ui/Icon';
import { Row } from '../../ui/Layout';
import { useAnnouncement } from './api';

/** The newest announcement in one line. */
export function Announcement() {
  const news = useAnnouncement().data;
  if (!news) return null;
  return <Row lead={<Icon name="bell" size={20} />} title={<span className="m lab">{news.title}</span>} href={href('notice/index', { id: news.id })} chevron />;
}
