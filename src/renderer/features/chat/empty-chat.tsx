import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Activity, CodeXml, FileText, PenLine, TimerOff, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { TitleBar } from '../../ui/shell/title-bar.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { NEW, setDraft, setTemporary, useChat } from './chat-store.ts'
import styles from './empty-chat.module.css'
import { focusComposer } from './panel-focus.ts'
import { sendOnceKnown } from './send.ts'

const NewChatProject = lazyComponent(async () => (await import('./project-crumb.tsx')).NewChatProject)

interface Starter {
  readonly icon: LucideIcon
  readonly name: string
  /** The beginning of a message. The person adds the rest. */
  readonly beginning: string
  /** A complete message, which demo mode sends at once. */
  readonly example: string
}

const starters: readonly Starter[] = [
  {
    icon: FileText,
    get name() {
      return t`Explain a contract`
    },
    get beginning() {
      return t`Explain this contract in plain words, and say what is unusual about it:`
    },
    get example() {
      return t`Explain this clause in plain words: “The tenant may end the lease after twelve months with three months’ notice.”`
    },
  },
  {
    icon: Activity,
    get name() {
      return t`Understand lab results`
    },
    get beginning() {
      return t`Explain these lab results, and say what to ask my doctor:`
    },
    get example() {
      return t`My ferritin is 18 µg/L. What does that mean, and what can I ask my doctor?`
    },
  },
  {
    icon: CodeXml,
    get name() {
      return t`Review my code`
    },
    get beginning() {
      return t`Review this code for errors and for what is hard to read:`
    },
    get example() {
      return t`Review this function: const mean = (values) => values.reduce((a, b) => a + b) / values.length`
    },
  },
  {
    icon: PenLine,
    get name() {
      return t`Draft a hard email`
    },
    get beginning() {
      return t`Help me write an email. It should be kind and clear. This is what it is about:`
    },
    get example() {
      return t`Write a short, kind email that asks a client to pay an invoice that is three weeks late.`
    },
  },
]

/** A chat without messages: a title, the composer, and ways to start. */
export function EmptyChat({ children }: { children: ReactNode }) {
  const temporary = useChat((state) => state.beginning.temporary === true)
  const projectId = useChat((state) => state.beginning.projectId)
  const demo = useStatus((state) => state.status?.service.kind === 'sandbox')
  const empty = useChat((state) => (state.drafts[NEW] ?? '') === '')
  return (
    <>
      <TitleBar>
        <span className={styles.space} />
        <button
          type="button"
          role="switch"
          className={styles.temporary}
          aria-checked={temporary}
          aria-label={t`Temporary chat`}
          title={t`Turn this on for a chat that’s never saved.`}
          onClick={() => setTemporary(!temporary)}
        >
          <TimerOff size={16} strokeWidth={1.75} aria-hidden />
          <Trans>Temporary</Trans>
        </button>
      </TitleBar>
      <div className={styles.middle}>
        <h1 className={styles.title}>{demo ? t`Try a private chat` : t`Say it quietly`}</h1>
        {projectId !== undefined && <NewChatProject projectId={projectId} />}
        {temporary && (
          <p className={styles.note}>
            <Trans>
              In memory only, never saved. Deleted when you close this window or Sotto quits. Its receipts
              stay, but contain none of its text.
            </Trans>
          </p>
        )}
        {children}
        <ul className={styles.starters} aria-label={t`Ways to start`} data-hidden={!empty}>
          {starters.map(({ icon: Icon, name, beginning, example }) => (
            <li key={name}>
              <button
                type="button"
                className={styles.starter}
                onClick={() => {
                  if (demo) return void sendOnceKnown(undefined, example, [])
                  setDraft(NEW, `${beginning}\n\n`)
                  focusComposer()
                }}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden />
                {name}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
