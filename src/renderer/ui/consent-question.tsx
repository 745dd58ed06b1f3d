import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ConsentPreview, ConsentPurpose, ExposedExcerpt, Exposure } from '../../shared/consent.ts'
import { Button } from './button.tsx'
import { serviceName } from './service/service-name.ts'
import styles from './consent-question.module.css'
import { showExposed, useConsent } from './consent-store.ts'
import { Dialog, DialogActions } from './dialog.tsx'
import { Fact, Facts } from './facts.tsx'
import { FailureNote } from './failure-note.tsx'
import { formatCount } from './format/number.ts'
import { useCurrentChat, type CurrentChat } from './current-chat.ts'
import privacyStyles from './privacy-mark.module.css'
import { PrivacyMark } from './privacy-mark.tsx'
import { Skeleton } from './skeleton.tsx'
import { useStatus } from './status-store.ts'
import { useNow } from './use-now.ts'

const title: Readonly<Record<ConsentPurpose, string>> = {
  get continue() {
    return t`Send this private chat to a non-private model?`
  },
  get compare() {
    return t`Send this private chat to non-private models?`
  },
  get 'web-search'() {
    return t`Search the web with this private chat?`
  },
  get dictate() {
    return t`Send dictation for this private chat to a non-private model?`
  },
  get 'read-aloud'() {
    return t`Send this private message to a non-private model to read it aloud?`
  },
  get studio() {
    return t`Send this private message to a non-private model?`
  },
}

const once: Readonly<Record<ConsentPurpose, string>> = {
  get continue() {
    return t`One reply.`
  },
  get compare() {
    return t`One reply from each of these models.`
  },
  get 'web-search'() {
    return t`One reply.`
  },
  get dictate() {
    return t`One recording.`
  },
  get 'read-aloud'() {
    return t`One message read aloud.`
  },
  get studio() {
    return t`One request.`
  },
}

/** Only chat passes through the service's enclave. Recordings, speech, images, audio and video don't. */
const isChat = (purpose: ConsentPurpose) =>
  purpose === 'continue' || purpose === 'compare' || purpose === 'web-search'
const visible: CurrentChat = { privacy: 'forwarded', mayForward: false }

/** Shows what would be exposed, to whom and for how long. Without a press of the consent button, the answer is no. */
export function ConsentQuestion() {
  const asking = useConsent((state) => state.asking)
  const currentChat = useCurrentChat()
  if (!asking) return null
  const {
    ask: { purpose },
    models,
    preview,
    failure,
    answer,
  } = asking
  const readers = isChat(purpose) ? currentChat : visible
  return (
    <Dialog
      open
      onClose={() => answer(null)}
      alert
      wide
      title={title[purpose]}
      says={
        <span className={privacyStyles.says}>
          <PrivacyMark privacy={readers.privacy} />
          <span>
            <Trans>This can’t be undone. Nothing has been sent yet.</Trans>
          </span>
        </span>
      }
    >
      {failure && <FailureNote failure={failure} onRetry={() => void showExposed()} />}
      {!preview && !failure && <Skeleton label={t`Loading preview…`} />}
      {preview && <Exposed exposes={preview.exposes} purpose={purpose} models={models} readers={readers} />}
      <Choice key={preview?.consentId ?? ''} preview={preview} answer={answer} />
    </Dialog>
  )
}

function Choice({
  preview,
  answer,
}: {
  preview: ConsentPreview | undefined
  answer: (consentId: string | null) => void
}) {
  const ended = useNow(1000) >= (preview?.expiresAt ?? Infinity)
  return (
    <DialogActions>
      {ended && (
        <p className={styles.ended} role="status">
          <Trans>This preview is more than 5 minutes old. Review it again before you allow it.</Trans>
        </p>
      )}
      {ended && (
        <Button onClick={() => void showExposed()}>
          <Trans>Review again</Trans>
        </Button>
      )}
      {preview && !ended && (
        <Button onClick={() => answer(preview.consentId)}>
          <Trans>Allow once</Trans>
        </Button>
      )}
      <Button kind="primary" autoFocus onClick={() => answer(null)}>
        <Trans>Cancel</Trans>
      </Button>
    </DialogActions>
  )
}

function Exposed({
  exposes,
  purpose,
  models,
  readers,
}: {
  exposes: Exposure
  purpose: ConsentPurpose
  models: readonly string[]
  readers: CurrentChat
}) {
  const service = useStatus((state) => (state.status ? serviceName(state.status.service) : ''))
  const older = exposes.messages - exposes.excerpts.length
  return (
    <>
      <Facts>
        <Fact name={t`What’s sent`}>
          {purpose === 'dictate' ? t`The audio you record now. The chat itself isn’t sent.` : amount(exposes)}
        </Fact>
        {exposes.attachments > 0 && (
          <Fact name={t`Attachments`}>
            <Plural value={exposes.attachments} one="# file" other="# files" />
          </Fact>
        )}
        {exposes.instructions > 0 && (
          <Fact name={t`Instructions`}>
            <Plural value={exposes.instructions} one="# character" other="# characters" />
          </Fact>
        )}
        <Fact name={t`Who can read it`}>
          {whoCanRead(service, models.length, readers)}
          {models.map((model) => (
            <p key={model}>
              <code>{model}</code>
            </p>
          ))}
          {purpose === 'web-search' && (
            <p>
              <Trans>A search engine and the pages it finds also learn your question.</Trans>
            </p>
          )}
        </Fact>
        <Fact name={t`Valid for`}>
          <p>{once[purpose]}</p>
          <p>
            <Trans>
              If unused, permission expires after 5 minutes. The chat stays private, and you’re asked again
              next time.
            </Trans>
          </p>
        </Fact>
      </Facts>
      {exposes.excerpts.length > 0 && (
        <ol
          className={styles.excerpts}
          tabIndex={0}
          aria-label={
            readers.privacy === 'relayed'
              ? t`Messages the provider could read`
              : t`Messages that would become visible`
          }
        >
          {older > 0 && (
            <li className={styles.older}>
              <Plural
                value={older}
                one="# older message is also included."
                other="# older messages are also included."
              />
            </li>
          )}
          {exposes.excerpts.map((excerpt, at) => (
            <Excerpt key={at} excerpt={excerpt} />
          ))}
        </ol>
      )}
    </>
  )
}

function whoCanRead(service: string, models: number, { privacy, mayForward }: CurrentChat): string {
  if (privacy === 'relayed')
    return mayForward
      ? t`The model’s provider. If the service’s enclave can’t be verified, the service (${service}) too.`
      : t`The model’s provider. The service (${service}) can’t.`
  return models === 0
    ? t`The service (${service}) and its providers.`
    : t`The service (${service}) and the model’s provider.`
}

function Excerpt({ excerpt: { role, text, characters, attachments } }: { excerpt: ExposedExcerpt }) {
  return (
    <li className={styles.excerpt}>
      <span className={styles.author}>{author(role, characters)}</span>
      {text !== '' && (
        <span className={styles.text} dir="auto">
          {text}
        </span>
      )}
      {attachments.map((name, at) => (
        <span key={at} className={styles.file} dir="auto">
          {name}
        </span>
      ))}
    </li>
  )
}

function author(role: ExposedExcerpt['role'], characters: number): string {
  if (role === 'user') return plural(characters, { one: 'You, # character', other: 'You, # characters' })
  if (role === 'assistant')
    return plural(characters, { one: 'Reply, # character', other: 'Reply, # characters' })
  return plural(characters, { one: 'Instructions, # character', other: 'Instructions, # characters' })
}

function amount({ messages, characters }: Exposure): string {
  const written = formatCount(characters)
  return plural(messages, {
    one: `# message in full, ${written} characters.`,
    other: `# messages in full, ${written} characters in total.`,
  })
}
