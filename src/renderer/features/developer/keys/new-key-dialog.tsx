import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import type { ServiceKey } from '../../../../shared/service-key.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { createKey as createLocalKey, forgetSecret, newSecrets, useLocalAccess } from '../local-api-store.ts'
import { emptyDraft as emptyLocalDraft } from '../../../ui/keys/key-draft.ts'
import { KeyForm as LocalKeyForm } from '../../../ui/keys/key-form.tsx'
import { KeyServerTools } from '../local-keys/key-server-tools.tsx'
import { NewSecret } from '../../../ui/keys/new-secret.tsx'
import { emptyDraft } from '../service-keys/key-draft.ts'
import { takenNames } from '../service-keys/key-dialogs.tsx'
import { KeyForm } from '../service-keys/key-form.tsx'
import { createKey, madeKey } from '../service-keys/keys-store.ts'
import styles from './new-key-dialog.module.css'

/** Where a key works: at the proxy on this computer, or at the service itself. */
export type KeyPlace = 'computer' | 'service'

interface NewKeyDialogProps {
  /** The place that is chosen first. */
  place: KeyPlace
  /** The API keys of the account; undefined if none can be created. */
  serviceKeys: readonly ServiceKey[] | undefined
  close: () => void
}

/** Asks where a new key works and what it may do. A local key's secret follows, once; the list shows the secret of an API key. */
export function NewKeyDialog({ place, serviceKeys, close }: NewKeyDialogProps) {
  const [chosen, setChosen] = useState(place)
  const [created, setCreated] = useState<LocalKeyView>()
  const models = useLocalAccess().data?.models
  const secrets = useScopedState(newSecrets)
  const inList = useScopedState(madeKey) !== null
  if (created)
    return (
      <NewSecret
        name={created.name}
        secret={secrets[created.id]}
        done={() => {
          forgetSecret(created.id)
          close()
        }}
      />
    )
  if (inList) return null
  const atService = chosen === 'service' && serviceKeys !== undefined
  return (
    <Dialog
      open
      onClose={close}
      persistent
      wide
      title={t`New key`}
      says={t`One key per tool lets you limit, monitor, and revoke each one separately.`}
    >
      {serviceKeys && (
        <div className={styles.place}>
          <RadioGroup
            label={t`Works at`}
            name="new-key-place"
            segmented
            options={[
              { id: 'computer', name: t`This computer` },
              { id: 'service', name: t`Service` },
            ]}
            chosen={chosen}
            onChoose={setChosen}
          />
          <p className={styles.means}>
            {atService
              ? t`For programs that call the service directly. Anyone with the key can spend from the account.`
              : t`For tools on this computer. Sotto seals their requests to private models.`}
          </p>
        </div>
      )}
      {atService ? (
        <KeyForm
          draft={emptyDraft}
          otherNames={takenNames(serviceKeys)}
          does={t`Create key`}
          doing={t`Creating…`}
          onSave={(terms) => createKey(terms)}
          onCancel={close}
        />
      ) : (
        <LocalKeyForm
          draft={emptyLocalDraft}
          forPages
          models={models}
          serverTools={KeyServerTools}
          does={t`Create key`}
          doing={t`Creating…`}
          onSave={async (name, limits) => setCreated(await createLocalKey(name, limits))}
          onCancel={close}
        />
      )}
    </Dialog>
  )
}
