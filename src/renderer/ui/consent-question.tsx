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
  'continue': 'Continue this private conversation in the open?',
  'compare': 'Send this private conversation to models that are not private?',
  'web-search': 'Search the web with this private conversation?',
  'dictate': 'Dictate into this private conversation in the open?',
  'read-aloud': 'Have this private message read aloud in the open?',
  'studio': 'Send this private message on in the open?',
}

const once: Readonly<Record<ConsentPurpose, string>> = {
  'continue': 'Once, for one answer.',
  'compare': 'Once, for one answer of each of these models.',
  'web-search': 'Once, for one answer.',
  'dictate': 'Once, for one recording.',
  'read-aloud': 'Once, for one reading.',
  'studio': 'Once, for one piece of work.',
}

/** What would be exposed, to whom and for how long. No is what happens unless yes is pressed. */
export function ConsentQuestion() {
  const asking = useConsent((state) => state.asking)
  if (!asking) return null
  const { ask: { purpose }, models, preview, failure, answer } = asking
  const keep = () => answer(null)
  return (
    <Dialog open onClose={keep} alert wide title={title[purpose]} says={<span className={styles.mark}><PrivacyMark privacy="forwarded" /><span>What is sent so cannot be taken back. Until you allow it, nothing leaves.</span></span>}>
      {failure && <FailureNote failure={failure}><Button onClick={() => void showExposed()}>Try again</Button></FailureNote>}
      {!preview && !failure && <p role="status">Looking up what would be exposed…</p>}
      {preview && <Exposed exposes={preview.exposes} purpose={purpose} models={models} />}
      <Choice key={preview?.consentId ?? ''} preview={preview} answer={answer} />
    </Dialog>
  )
}

function Choice({ preview, answer }: { preview: ConsentPreview | undefined; answer: (consentId: string | null) => void }) {
  const ended = useNow(1000) >= (preview?.expiresAt ?? Infinity)
  return (
    <>
      {ended && <p className={styles.ended} role="status">This was shown more than five minutes ago. Look at it again before you allow it.</p>}
      <DialogActions>
        {ended && <Button onClick={() => void showExposed()}>Show it again</Button>}
        {preview && !ended && <Button onClick={() => answer(preview.consentId)}>Allow once</Button>}
        <Button kind="primary" autoFocus onClick={() => answer(null)}>Keep it private</Button>
      </DialogActions>
    </>
  )
}

function Exposed({ exposes, purpose, models }: { exposes: Exposure; purpose: ConsentPurpose; models: readonly string[] }) {
  const service = useStatus((state) => state.status?.service.name ?? '')
  const older = exposes.messages - exposes.excerpts.length
  return (
    <>
      <Facts>
        <Fact name="What">{purpose === 'dictate' ? 'What the microphone records now, as sound. The conversation itself is not sent.' : amount(exposes)}</Fact>
        {exposes.instructions > 0 && <Fact name="And its instructions">{exposes.instructions === 1 ? '1 character' : `${formatCount(exposes.instructions)} characters`}</Fact>}
        <Fact name="To whom">
          {models.length === 0 ? `The service (${service}), and whoever works for it.` : `The service (${service}), and whoever runs the model for it.`}
          {models.map((model) => <p key={model}><code>{model}</code></p>)}
          {purpose === 'web-search' && <p>A search engine, and the pages that it finds, learn of the question.</p>}
        </Fact>
        <Fact name="For how long">{once[purpose]} Unused, it ends after five minutes. The conversation stays private, and the next time you are asked again.</Fact>
      </Facts>
      {exposes.excerpts.length > 0 && (
        <section aria-label="What would be readable">
          <ol className={styles.excerpts} tabIndex={0} aria-label="Messages that would be readable">
            {older > 0 && <li className={styles.older}>{older === 1 ? 'One older message stands before these.' : `${formatCount(older)} older messages stand before these.`}</li>}
            {exposes.excerpts.map((excerpt, at) => <Excerpt key={at} excerpt={excerpt} />)}
          </ol>
        </section>
      )}
    </>
  )
}

const author: Readonly<Record<ExposedExcerpt['role'], string>> = { user: 'You', assistant: 'Answer', system: 'Instructions' }

function Excerpt({ excerpt: { role, text, characters, attachments } }: { excerpt: ExposedExcerpt }) {
  return (
    <li className={styles.excerpt}>
      <span className={styles.author}>{author[role]}, {characters === 1 ? '1 character' : `${formatCount(characters)} characters`}</span>
      {text !== '' && <span className={styles.text} dir="auto">{text}</span>}
      {attachments.map((name, at) => <span key={at} className={styles.file} dir="auto">{name}</span>)}
    </li>
  )
}

function amount({ messages, characters, attachments }: Exposure): string {
  const written = messages === 1 ? `1 message of ${formatCount(characters)} characters, whole` : `${formatCount(messages)} messages of ${formatCount(characters)} characters together, whole`
  if (attachments === 0) return `${written}.`
  return attachments === 1 ? `${written}, and 1 file.` : `${written}, and ${formatCount(attachments)} files.`
}
