import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Model } from '../../../../shared/model.ts'
import { dialectPaths, TRIAL_QUESTION, TRIAL_TOKENS, type Trial } from '../../../../shared/trial.ts'
import { currentScope, useScope } from '../../../data/service-scope.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatRecordedUsd, formatUsd } from '../../../ui/format/money.ts'
import { formatAdded, formatLatency } from '../../../ui/format/time.ts'
import { tokenWords } from '../../../ui/format/token-words.ts'
import { PrivacyMark, privacyWord } from '../../../ui/privacy-mark.tsx'
import { keepReceipts, showReceipt } from '../../../ui/receipt-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import type { Tool } from '../tools/index.ts'
import { trialPrice } from './suggestion.ts'
import styles from './try-it.module.css'

interface TryItProps {
  tool: Tool
  model: Model | undefined
  modelId: string | undefined
  secret: string | undefined
}

/**
 * Sends one small request as the tool would, through the proxy and with the tool's key. Shows the price
 * beforehand.
 */
export function TryIt({ tool, model, modelId, secret }: TryItProps) {
  const scope = useScope()
  const [trial, setTrial] = useState<Trial & { readonly model: string }>()
  const most = trialPrice(model)
  const attempt = useAction(async () => {
    if (secret === undefined || modelId === undefined) return
    setTrial(undefined)
    const answered = await api.localApi.try({ secret, dialect: tool.dialect, model: modelId })
    if (scope !== currentScope()) return
    if (answered.receipt) keepReceipts([answered.receipt])
    setTrial({ ...answered, model: modelId })
    announce(
      answered.error
        ? t`Status ${answered.status}: ${answered.error.message}`
        : t`Status ${answered.status}` + (answered.privacy ? `, ${privacyWord[answered.privacy]}` : ''),
    )
  })
  return (
    <div className={styles.try}>
      <p>
        <Trans>
          Sends “{TRIAL_QUESTION}” to <code>{dialectPaths[tool.dialect]}</code> on this computer, as{' '}
          {tool.name} would. It uses this key and allows at most {TRIAL_TOKENS} output tokens.
        </Trans>{' '}
        {most === undefined ? (
          t`The price isn’t listed.`
        ) : most === '0' ? (
          t`It’s free.`
        ) : (
          <Trans>
            It costs <strong>at most {formatUsd(most)}</strong>.
          </Trans>
        )}
      </p>
      <div className={styles.actions}>
        <Button
          onClick={() => void attempt.run()}
          busy={attempt.busy && t`Sending test request…`}
          disabled={secret === undefined || modelId === undefined}
        >
          <Trans>Try it</Trans>
        </Button>
        {secret === undefined && (
          <span className={styles.hint}>
            <Trans>Create a key first.</Trans>
          </span>
        )}
      </div>
      {attempt.failure && <FailureNote failure={attempt.failure} className={styles.outcome} />}
      {trial && !attempt.busy && <Outcome trial={trial} />}
    </div>
  )
}

function Outcome({
  trial: { status, model, privacy, text, error, receipt, durationMs },
}: {
  trial: Trial & { readonly model: string }
}) {
  return (
    <div className={styles.outcome} data-testid="trial">
      <p className={styles.line}>
        <strong>{status < 400 ? t`It works` : t`Failed`}</strong>
        <span>
          <Trans>status {status}</Trans>
        </span>
        {privacy && <PrivacyMark privacy={privacy} />}
        <code>{model}</code>
        {receipt && (
          <span>{receipt.cost === undefined ? t`cost unknown` : formatRecordedUsd(receipt.cost)}</span>
        )}
        {receipt?.usage && <span>{tokenWords(receipt.usage.prompt, receipt.usage.completion)}</span>}
        <span>
          {formatLatency(durationMs)}
          {receipt?.addedMs !== undefined && (
            <>
              , <Trans>including {formatAdded(receipt.addedMs)} overhead</Trans>
            </>
          )}
        </span>
        {receipt && (
          <Button kind="link" onClick={() => showReceipt(receipt.id)}>
            <Trans>Open receipt</Trans>
          </Button>
        )}
      </p>
      {error && (
        <p className={styles.error}>
          {error.message} {error.code !== undefined && <code>{error.code}</code>}
        </p>
      )}
      {text !== undefined && text !== '' && <blockquote className={styles.text}>{text}</blockquote>}
      {text === '' && (
        <p className={styles.hint}>
          <Trans>
            The model returned no text within the token limit. Reasoning models may use up the limit before
            they reply.
          </Trans>
        </p>
      )}
    </div>
  )
}
