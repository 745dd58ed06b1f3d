import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ImportModels, ImportReport } from '../../../shared/library/import-report.ts'
import { useModels } from '../../data/listings.ts'
import { SelectField } from '../../ui/select.tsx'
import styles from './import-dialog.module.css'

interface ImportModelsFieldsProps {
  /** A preview of the import. */
  report: ImportReport
  choices: ImportModels
  onChoose: (choices: ImportModels) => void
}

/** One choice for each model of an import that the service doesn't list. It applies to all chats that name the model. */
export function ImportModelsFields({ report, choices, onChoose }: ImportModelsFieldsProps) {
  const listed = useModels().data?.filter(({ type }) => type === undefined || type === 'chat')
  if (!listed || listed.length === 0) return null
  const unlisted = (report.models ?? []).filter(({ name }) => !listed.some(({ id }) => id === name))
  if (unlisted.length === 0) return null
  const choose = (from: string, to: string) => {
    const others = choices.filter((choice) => choice.from !== from)
    onChoose(to === '' ? others : [...others, { from, to }])
  }
  return (
    <fieldset className={styles.models}>
      <legend>
        <Trans>Models to continue with</Trans>
      </legend>
      <p className={styles.note}>
        <Trans>
          The service doesn’t list these models. Choose one for each, or decide later in the chat.
        </Trans>
      </p>
      {unlisted.map(({ name, conversations }) => {
        const chats = plural(conversations, { one: '# chat', other: '# chats' })
        return (
          <SelectField
            key={name}
            label={name === '' ? t`No model in the file (${chats})` : t`${name} (${chats})`}
            value={choices.find(({ from }) => from === name)?.to ?? ''}
            onChange={({ target }) => choose(name, target.value)}
          >
            <option value="">{t`Decide later`}</option>
            {listed.map(({ id, name: title, private: isPrivate }) => (
              <option key={id} value={id}>
                {isPrivate ? t`${title} (private)` : title}
              </option>
            ))}
          </SelectField>
        )
      })}
    </fieldset>
  )
}
