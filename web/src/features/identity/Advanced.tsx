import { useRef, useState } from 'react';
import { useCommit } from '../../data/commit';
import { useOnline } from '../../lib/online';
import { useUser } from '../../data/session';
import { t, useLocale, type Key } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { same, usePicture, type Picture, type Problem } from '../../lib/picture';
import { Refusal, refusalText } from '../../lib/refusal';
import { Button, ButtonLink } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { PictureField } from '../../ui/PictureField';
import { Note } from '../../ui/Status';
import { sendPhotos } from './api';
import { Camera } from './Camera';
import { canSend, REVIEWS, sideOf, SIDES, type Side } from './model';
import { thenReview } from './sent';
import { Steps } from './Steps';
import css from './Identity.module.css';

const TEXTS: Record<Side, { label: Key; hint: Key; title: Key }> = {
  front: { label: 'identity.front', hint: 'identity.frontText', title: 'identity.frontTitle' },
  back: { label: 'identity.back', hint: 'identity.backText', title: 'identity.backTitle' },
  hand: { label: 'identity.hand', hint: 'identity.handText', title: 'identity.handTitle' },
};
const NAMES = ['identity.stepDetails', 'identity.stepPhotos', 'identity.stepReview'] as const;

const REPEATED: Problem = { text: 'identity.samePhoto' };

const Outline = ({ side }: { side: Side }) => (
  <svg viewBox="0 0 160 100" className={css.outline} aria-hidden="true">
    {side === 'hand' ? (
      <path d="M72 34a18 18 0 11-36 0 18 18 0 0136 0zM18 92c2-30 14-36 36-36 10 0 18 2 24 6M88 52h56v36H88zM98 62h12v12H98M118 64h18M118 72h14" />
    ) : (
      <path d={side === 'front' ? 'M16 12h128v76H16zM30 32h34v40H30M78 36h50M78 48h40M78 60h50M78 72h30' : 'M16 12h128v76H16zM16 26h128v12H16M30 56h60M30 66h40M30 78h100'} />
    )}
  </svg>
);

function Photos({ reason }: { reason: string }) {
  const online = useOnline();
  const repeats = (side: Side) => async (file: Blob) => {
    const others = SIDES.filter((other) => other !== side).flatMap((other) => pictures[other].file ?? []);
    return (await Promise.all(others.map((other) => same(file, other)))).includes(true) ? REPEATED : undefined;
  };
  const pictures: Record<Side, Picture> = { front: usePicture('kyc', repeats('front')), back: usePicture('kyc', repeats('back')), hand: usePicture('kyc', repeats('hand')) };
  const [refused, setRefused] = useState<{ file: Blob | undefined; text: string }>();
  const [camera, setCamera] = useState<Side>();
  const chooser = useRef<HTMLInputElement>(null);
  const [choosing, setChoosing] = useState<Side>();
  const { state, busy, run } = useCommit<unknown>();
  const missing = SIDES.filter((side) => pictures[side].preview === undefined).length;
  const sending = busy || SIDES.some((side) => pictures[side].progress !== undefined);
  const send = async () => {
    if (missing > 0 || sending) return;
    const addresses: string[] = [];
    try {
      // One after the other, because the phone's connection is the bottleneck.
      for (const side of SIDES) addresses.push(await pictures[side].send());
    } catch {
      // The picture shows its own error.
      return;
    }
    const [front = '', back = '', hand = ''] = addresses;
    setRefused(undefined);
    await run(() => sendPhotos(front, back, hand), {
      done: thenReview(),
      refused: (error) => {
        const { field, rule } = error instanceof Refusal ? error.data : {};
        const side = sideOf(field);
        if (side) setRefused({ file: pictures[side].file, text: rule === 'repeated' ? t(REPEATED.text) : refusalText(error) });
        return side !== undefined;
      },
    });
  };
  const fromFile = (side: Side) => {
    setCamera(undefined);
    setChoosing(side);
    chooser.current?.click();
  };
  const footer = (
    <Button kind="commit" wide loading={sending} reason={missing > 0 ? t('identity.left', { count: missing }) : online ? undefined : t('assets.needsConnection')} onClick={() => void send()}>
      {t('funding.sendForReview')}
    </Button>
  );
  return (
    <Screen help title={t('identity.title')} footer={footer}>
      <Steps names={NAMES} at={1} />
      <div className={css.photos}>
        {reason && <Note tone="danger">{t('identity.rejectedText', { reason })}</Note>}
        <h2 className="h2">{t('identity.photosTitle')}</h2>
        <p className="t2">{t('identity.photosText')}</p>
        {SIDES.map((side) => (
          <PictureField key={side} label={t(TEXTS[side].label)} hint={t(TEXTS[side].hint)} picture={pictures[side]} error={refused && refused.file === pictures[side].file ? refused.text : undefined} onCamera={() => setCamera(side)} empty={<Outline side={side} />} />
        ))}
        <p className="lab t3">{t('identity.formats')}</p>
        <Note icon="lock">{t('identity.privacy')}</Note>
        <CommitNote state={state} />
      </div>
      <input
        ref={chooser}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        hidden
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file && choosing) void pictures[choosing].choose(file);
        }}
      />
      {camera && (
        <Camera
          title={t(TEXTS[camera].title)}
          step={{ at: SIDES.indexOf(camera), of: SIDES.length }}
          facing={camera === 'hand' ? 'user' : 'environment'}
          onClose={() => setCamera(undefined)}
          onFile={() => fromFile(camera)}
          onPhoto={(photo) => {
            void pictures[camera].choose(photo);
            setCamera(undefined);
          }}
        />
      )}
    </Screen>
  );
}

/** Photos of the document and of the person holding it. */
export default function Advanced() {
  useLocale();
  const user = useUser();
  if (user.data && canSend(2, user.data)) return <Photos reason={user.data.review_status2 === 3 ? user.data.reason2 : ''} />;
  return (
    <Screen help title={t('identity.title')}>
      <ListState query={user} errorTitle={t('identity.error')} errorText={t('assets.errorText')}>
        {(data) => (
          <EmptyState icon={icons.shield} title={t(data.review_status === 2 ? REVIEWS[data.review_status2].text : 'identity.basicFirst')} text={t('identity.nothingToSend')}>
            <ButtonLink kind="commit" small href={href('verification/index')}>
              {t('identity.title')}
            </ButtonLink>
          </EmptyState>
        )}
      </ListState>
    </Screen>
  );
}
