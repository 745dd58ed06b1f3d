import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { LocalKeyView } from '../../../../shared/local-key.ts'
import type { Model } from '../../../../shared/model.ts'
import { allowsModel } from '../../../../shared/model-pattern.ts'
import { chatPrivacy, useCurrentChat } from '../../../ui/current-chat.ts'
import { PrivacyMark, privacyWord } from '../../../ui/privacy-mark.tsx'
import { SelectField } from '../../../ui/select.tsx'
import styles from './model-choice.module.css'

interface ModelChoiceProps {
  models: readonly Model[] | undefined
  localKey: LocalKeyView | undefined
  model: string | undefined
  onPick: (modelId: string) => void
}

/** The model that the settings name: private ones first, and of a key's models only those that it may use. */
export function ModelChoice({ models, localKey, model, onPick }: ModelChoiceProps) {
  const currentChat = useCurrentChat()
  if (!models || model === undefined)
    return (
      <p className={styles.none}>
        <Trans>Couldn’t load the service’s models. Enter the model name in the settings yourself.</Trans>
      </p>
    )
  const chat = models.filter(({ type }) => type === undefined || type === 'chat')
  const groups = [
    { name: t`Private: sealed to a verified enclave`, models: chat.filter((each) => each.private) },
    { name: privacyWord[currentChat.privacy], models: chat.filter((each) => !each.private) },
  ].filter((group) => group.models.length > 0)
  const allowed = !localKey || allowsModel(localKey.limits, model)
  return (
    <div className={styles.choice}>
      <SelectField
        label={t`Model`}
        value={model}
        onChange={(event) => onPick(event.target.value)}
        fault={allowed ? undefined : t`This key can’t use this model. Choose another model or edit the key.`}
      >
        {!chat.some(({ id }) => id === model) && <option value={model}>{model}</option>}
        {groups.map((group) => (
          <optgroup key={group.name} label={group.name}>
            {group.models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name === id ? id : `${name} (${id})`}
              </option>
            ))}
          </optgroup>
        ))}
      </SelectField>
      <PrivacyMark
        privacy={chatPrivacy(models.find(({ id }) => id === model)?.private === true, currentChat)}
      />
    </div>
  )
}
