import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from './announcer.tsx'
import { IconButton } from './button.tsx'
import styles from './copy-button.module.css'
import { dispose } from './secret-clipboard.ts'

const SHOWN_MS = 1600

/** Copies what `text` gives at the press, also as the formatted text of `html`, and says whether it did. */
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
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await write(text(), html?.())
      dispose()
      setOutcome('copied')
      announce(t`Copied`)
    } catch {
      setOutcome('failed')
      announce(t`Couldn’t copy`)
    }
  }
  const sign =
    outcome === 'copied' ? (
      <Check size={15} strokeWidth={1.75} aria-hidden />
    ) : (
      <Copy size={15} strokeWidth={1.75} aria-hidden />
    )
  return (
    <span className={styles.copy}>
      <IconButton label={label} onClick={() => void copy()} className={word ? styles.wide : undefined}>
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

/** Both kinds at once: the program that is pasted into takes the one that it can show. */
async function write(text: string, html: string | Promise<string> | undefined): Promise<void> {
  if (html === undefined || typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(text)
  const blob = async (content: string | Promise<string>, type: string) => new Blob([await content], { type })
  await navigator.clipboard.write([
    new ClipboardItem({ 'text/plain': blob(text, 'text/plain'), 'text/html': blob(html, 'text/html') }),
  ])
}

function wordFor(outcome: 'copied' | 'failed' | undefined): string {
  if (outcome === undefined) return t`Copy`
  return outcome === 'copied' ? t`Copied` : t`Couldn’t copy`
}
