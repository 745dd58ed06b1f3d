import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from './announcer.tsx'
import { Button, IconButton } from './button.tsx'
import styles from './copy-button.module.css'
import { copyItem, copyText } from './clipboard.ts'

const SHOWN_MS = 1600

/** Copies the text that `text` returns at the press, also as the formatted text of `html`, and shows the outcome. */
export function CopyButton({
  label,
  text,
  html,
  word = false,
}: {
  label: string
  text: () => string
  html?: () => string | Promise<string>
  word?: boolean
}) {
  const { outcome, copy } = useCopy(() => write(text(), html?.()))
  const sign = <CopySign outcome={outcome} />
  return (
    <span className={styles.copy}>
      <IconButton
        label={word ? nameWith(wordFor(outcome), label) : label}
        onClick={() => void copy()}
        className={word ? styles.wide : undefined}
      >
        {word ? (
          <span className={styles.word}>
            {sign}
            {wordFor(outcome)}
          </span>
        ) : (
          sign
        )}
      </IconButton>
      {!word && outcome === 'failed' && (
        <span className={styles.failed}>
          <Trans>Couldn’t copy</Trans>
        </span>
      )}
    </span>
  )
}

/** The main way to take something over: a button with its name, which shows for a moment that it copied. */
export function CopyTextButton({
  label,
  text,
  kind,
}: {
  label: string
  text: () => string
  kind: 'primary' | 'secondary'
}) {
  const { outcome, copy } = useCopy(() => write(text(), undefined))
  return (
    <Button kind={kind} aria-label={label} onClick={() => void copy()}>
      <CopySign outcome={outcome} />
      {outcome === undefined ? label : wordFor(outcome)}
    </Button>
  )
}

type Outcome = 'copied' | 'failed'

function CopySign({ outcome }: { outcome: Outcome | undefined }) {
  return outcome === 'copied' ? (
    <Check size={15} strokeWidth={1.75} aria-hidden />
  ) : (
    <Copy size={15} strokeWidth={1.75} aria-hidden />
  )
}

function useCopy(writeText: () => Promise<void>) {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await writeText()
      setOutcome('copied')
      announce(t`Copied`)
    } catch {
      setOutcome('failed')
      announce(t`Couldn’t copy`)
    }
  }
  return { outcome, copy }
}

/** Writes both kinds at once. The target of the paste takes the kind that it can show. */
async function write(text: string, html: string | Promise<string> | undefined): Promise<void> {
  if (html === undefined || typeof ClipboardItem === 'undefined') return copyText(text)
  const blob = async (content: string | Promise<string>, type: string) => new Blob([await content], { type })
  await copyItem(
    new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(html, 'text/html') }),
  )
}

/** The name of a button contains its visible word, so that it can be pressed by voice (WCAG 2.5.3). */
function nameWith(word: string, label: string): string {
  return label.toLowerCase().includes(word.toLowerCase()) ? label : `${word}: ${label}`
}

function wordFor(outcome: Outcome | undefined): string {
  if (outcome === undefined) return t`Copy`
  return outcome === 'copied' ? t`Copied` : t`Couldn’t copy`
}
