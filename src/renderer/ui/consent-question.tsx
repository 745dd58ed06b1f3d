import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ConsentPreview, ConsentPurpose, ExposedExcerpt, Exposure } from '../../shared/consent.ts'
import { Button } from './button.tsx'
import styles from './consent-question.module.css'
import { showExposed, useConsent } from './consent-store.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import { Fact, Facts } from './facts.tsx'
import { FailureNote } from './failure-note.tsx'
import { formatCount } from './format/number.ts'
import { PrivacyMark } from './privacy-mark.tsx'
import { useStatus } from './status-store.ts'
import { useNow } from './use-now.ts'

const title: Readonly<Record<ConsentPurpose, string>> = {
  get 'continue'() { return t`Continue this private conversation in the open?` },
  get 'compare'() { return t`Send this private conversation to models that are not private?` },
  get 'web-search'() { return t`Search the web with this private conversation?` },
  get 'dictate'() { return t`Dictate into this private conversation in the open?` },
  get 'read-aloud'() { return t`Have this private message read aloud in the open?` },
  get 'studio'() { return t`Send this private message on in the open?` },
}

const once: Readonly<Record<ConsentPurpose, string>> = {
  get 'continue'() { return t`Once, for one answer.` },
  get 'compare'() { return t`Once, for one answer of each of these models.` },
  get 'web-search'() { return t`Once, for one answer.` },
  get 'dictate'() { return t`Once, for one recording.` },
  get 'read-aloud'() { return t`Once, for one reading.` },
  get 'studio'() { return t`Once, for one piece of work.` },
}

/** What would be exposed, to whom and for how long. No is what happens unless yes is pressed. */
export function ConsentQuestion() {
  const asking = useConsent((state) => state.asking)
  if (!asking) return null
  const { ask: { purpose }, models, preview, failure, answer } = asking
  return (
    <Dialog open onClose={() => answer(null)} alert wide title={title[purpose]} says={<span className={styles.mark}><PrivacyMark privacy="forwarded" /><span><Trans>What is sent so cannot be taken back. Until you allow it, nothing leaves.</Trans></span></span>}>
      {failure && <FailureNote failure={failure}><Button onClick={() => void showExposed()}><Trans>Try again</Trans></Button></FailureNote>}
      {!preview && !failure && <p role="status"><Trans>Looking up what would be exposed…</Trans></p>}
      {preview && <Exposed exposes={preview.exposes} purpose={purpose} models={models} />}
      <Choice key={preview?.consentId ?? ''} preview={preview} answer={answer} />
    </Dialog>
  )
}

function Choice({ preview, answer }: { preview: ConsentPreview | undefined; answer: (consentId: string | null) => void }) {
  const ended = useNow(1000) >= (preview?.expiresAt ?? Infinity)
  return (
    <div className={styles.choice}>
      {ended && <p className={styles.ended} role="status"><Trans>This was shown more than five minutes ago. Look at it again before you allow it.</Trans></p>}
      <DialogActions>
        {ended && <Button onClick={() => void showExposed()}><Trans>Show it again</Trans></Button>}
        {preview && !ended && <Button onClick={() => answer(preview.consentId)}><Trans>Allow once</Trans></Button>}
        <Button kind="primary" autoFocus onClick={() => answer(null)}><Trans>Keep it private</Trans></Button>
      </DialogActions>
    </div>
  )
}

function Exposed({ exposes, purpose, models }: { exposes: Exposure; purpose: ConsentPurpose; models: readonly string[] }) {
  const service = useStatus((state) => state.status?.service.name ?? '')
  const older = exposes.messages - exposes.excerpts.length
  return (
    <>
      <Facts>
        <Fact name={t`What`}>{purpose === 'dictate' ? t`What the microphone records now, as sound. The conversation itself is not sent.` : amount(exposes)}</Fact>
        {exposes.attachments > 0 && <Fact name={t`With`}><Plural value={exposes.attachments} one="# file" other="# files" /></Fact>}
        {exposes.instructions > 0 && <Fact name={t`And its instructions`}><Plural value={exposes.instructions} one="# character" other="# characters" /></Fact>}
        <Fact name={t`To whom`}>
          {models.length === 0 ? <Trans>The service ({service}), and whoever works for it.</Trans> : <Trans>The service ({service}), and whoever runs the model for it.</Trans>}
          {models.map((model) => <p key={model}><code>{model}</code></p>)}
          {purpose === 'web-search' && <p><Trans>A search engine, and the pages that it finds, learn of the question.</Trans></p>}
        </Fact>
        <Fact name={t`For how long`}>
          <p>{once[purpose]}</p>
          <p><Trans>Unused, it ends after five minutes. The conversation stays private, and the next time you are asked again.</Trans></p>
        </Fact>
      </Facts>
      {exposes.excerpts.length > 0 && (
        <ol className={styles.excerpts} tabIndex={0} aria-label={t`Messages that would be readable`}>
          {older > 0 && <li className={styles.older}><Plural value={older} one="# older message stands before these." other="# older messages stand before these." /></li>}
          {exposes.excerpts.map((excerpt, at) => <Excerpt key={at} excerpt={excerpt} />)}
        </ol>
      )}
    </>
  )
}

function Excerpt({ excerpt: { role, text, characters, attachments } }: { excerpt: ExposedExcerpt }) {
  return (
    <li className={styles.excerpt}>
      <span className={styles.author}>{author(role, characters)}</span>
      {text !== '' && <span className={styles.text} dir="auto">{text}</span>}
      {attachments.map((name, at) => <span key={at} className={styles.file} dir="auto">{name}</span>)}
    </li>
  )
}

function author(role: ExposedExcerpt['role'], characters: number): string {
  if (role === 'user') return plural(characters, { one: 'You, # character', other: 'You, # characters' })
  if (role === 'assistant') return plural(characters, { one: 'Answer, # character', other: 'Answer, # characters' })
  return plural(characters, { one: 'Instructions, # character', other: 'Instructions, # characters' })
}

function amount({ messages, characters }: Exposure): string {
  const written = formatCount(characters)
  return plural(messages, { one: `# message of ${written} characters, whole.`, other: `# messages of ${written} characters together, whole.` })
}
