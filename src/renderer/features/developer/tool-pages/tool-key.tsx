import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { sameKeyName, type LocalKeyView } from '../../../../shared/local-key.ts'
import type { Model } from '../../../../shared/model.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { formatList } from '../../../ui/format/list.ts'
import { formatUsd } from '../../../ui/format/money.ts'
import { useAction } from '../../../ui/use-action.ts'
import { CreateKeyDialog } from '../local-keys/key-dialogs.tsx'
import { readDraft } from '../../../ui/keys/key-draft.ts'
import { limitWords } from '../../../ui/keys/key-words.ts'
import { createKey, fillIn, forgetSecret, localKeys, useLocalAccess } from '../local-api-store.ts'
import type { Tool } from '../tools/index.ts'
import { boundlessPrice, suggestedKey } from './suggestion.ts'
import styles from './tool-key.module.css'

interface ToolKeyProps {
  tool: Tool
  model: Model | undefined
  /** The key that the settings contain. */
  localKey: LocalKeyView | undefined
  secret: string | undefined
}

/** Creates the tool's key in one press and shows its limits beforehand, or shows the key in use. */
export function ToolKey({ tool, model, localKey, secret }: ToolKeyProps) {
  if (localKey && secret !== undefined) return <InUse tool={tool} localKey={localKey} secret={secret} />
  return <Make tool={tool} model={model} />
}

function InUse({ tool, localKey, secret }: { tool: Tool; localKey: LocalKeyView; secret: string }) {
  const models = useLocalAccess().data?.models
  const labels = limitWords(localKey.limits, models)
  const list = formatList(labels)
  return (
    <div className={styles.key}>
      <p>
        {labels.length > 0 ? (
          <Trans>
            These settings use the key <strong>{localKey.name}</strong>: {list}.
          </Trans>
        ) : (
          <Trans>
            These settings use the key <strong>{localKey.name}</strong>.
          </Trans>
        )}
        {!localKey.first && (
          <>
            {' '}
            <Trans>
              Sotto doesn’t save this key. You can copy it here until you confirm that you saved it or close
              this window.
            </Trans>
          </>
        )}
      </p>
      <div className={styles.actions}>
        <CopyButton label={t`Copy key`} word text={() => secret} />
        {localKey.first ? (
          <Button onClick={() => fillIn(tool.id, '')}>
            <Trans>Use another key</Trans>
          </Button>
        ) : (
          <Button onClick={() => forgetSecret(localKey.id)}>
            <Trans>I’ve saved it</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

function Make({ tool, model }: { tool: Tool; model: Model | undefined }) {
  const keys = useScopedState(localKeys)
  const models = useLocalAccess().data?.models
  const [changing, setChanging] = useState(false)
  const first = keys?.find((key) => key.first)
  const earlier = keys?.find((key) => !key.first && key.state === 'live' && sameKeyName(key.name, tool.name))
  const suggested = suggestedKey(tool, model, keys ?? [])
  const read = readDraft(suggested, 0)
  const labels = read.faults ? [] : limitWords(read.limits, models)
  const list = formatList(labels)
  const most = boundlessPrice(model)
  const make = useAction(async () => {
    if (read.faults) return
    fillIn(tool.id, (await createKey(read.name, read.limits)).id)
  })
  return (
    <div className={styles.key}>
      {earlier && (
        <p className={styles.hint}>
          <Trans>
            A key named {earlier.name} already exists, but Sotto doesn’t store its secret. Create another key
            to fill in the settings.
          </Trans>
        </p>
      )}
      <p>
        <Trans>
          New key <strong>{suggested.name}</strong>: {list}.
        </Trans>
      </p>
      {most !== undefined && (
        <p className={styles.hint}>
          <Trans>
            If a request sets no output limit, {formatUsd(most)} is reserved until it ends. That’s the most
            this model can cost.
          </Trans>
        </p>
      )}
      {make.failure && <FailureNote failure={make.failure} className={styles.failure} />}
      <div className={styles.actions}>
        <Button
          kind="primary"
          onClick={() => void make.run()}
          busy={make.busy && t`Creating key…`}
          disabled={!keys}
        >
          <Trans>Create key</Trans>
        </Button>
        <Button onClick={() => setChanging(true)} disabled={!keys}>
          <Trans>Edit limits…</Trans>
        </Button>
        {first && (
          <Button kind="link" onClick={() => fillIn(tool.id, first.id)}>
            <Trans>Use the default key instead</Trans>
          </Button>
        )}
      </div>
      {changing && (
        <CreateKeyDialog
          draft={suggested}
          close={() => setChanging(false)}
          onCreated={(key) => fillIn(tool.id, key.id)}
        />
      )}
    </div>
  )
}
