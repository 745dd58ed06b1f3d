import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { announce } from './announcer.tsx'
import { Button } from './button.tsx'
import { Hidden } from './hidden.tsx'
import { copySecret, useSecretClipboard } from './clipboard.ts'
import styles from './secret-value.module.css'
import { useNow } from './use-now.ts'

/**
 * A secret in full, to copy or write down. A copied secret is cleared from the clipboard later: SecretClipboardNote
 * explains how.
 */
export function SecretValue({ name, secret }: { name: string; secret: string }) {
  const isOnClipboard = useSecretClipboard((state) => state.state === 'held')
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const copy = async () => {
    try {
      await copySecret(secret)
      setOutcome('copied')
      announce(t`Copied`)
    } catch {
      setOutcome('failed')
      announce(t`Couldn’t copy`)
    }
  }
  const copied = outcome === 'copied' && isOnClipboard
  return (
    <div className={styles.secret}>
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>
        <code data-testid="secret">{secret}</code>
        <Button onClick={() => void copy()}>
          {copied ? (
            <Check size={15} strokeWidth={1.75} aria-hidden />
          ) : (
            <Copy size={15} strokeWidth={1.75} aria-hidden />
          )}
          {outcome === 'failed' ? t`Couldn’t copy` : copied ? t`Copied` : t`Copy`}
          <Hidden> {name}</Hidden>
        </Button>
      </span>
    </div>
  )
}

/** Explains what happens to a copied secret, in words that hold in every browser. */
export function SecretClipboardNote() {
  const { state, until } = useSecretClipboard()
  return (
    <p className={styles.note}>
      {state === 'nothing' &&
        t`Sotto clears the clipboard one minute after you copy, once this window is in front. If Sotto can’t read the clipboard, this also clears anything you copied since. Clipboard history may keep a copy.`}
      {state === 'held' && <ClipboardNotice until={until} />}
      {state === 'emptied' && t`Clipboard cleared. Clipboard history may keep a copy.`}
    </p>
  )
}

function ClipboardNotice({ until }: { until: number }) {
  const now = useNow(1000)
  const left = Math.ceil((until - now) / 1000)
  return left > 0 ? (
    <Trans>
      Copied. The clipboard will be cleared in {left} s if this window is in front. Clipboard history may keep
      a copy.
    </Trans>
  ) : (
    <Trans>Copied. The clipboard will be cleared once this window is in front.</Trans>
  )
}
