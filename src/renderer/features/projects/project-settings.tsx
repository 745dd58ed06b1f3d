import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Project } from '../../../shared/project.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field, Form } from '../../ui/field.tsx'
import formStyles from '../../ui/grouped-form.module.css'
import { draftOfParameters, ParameterFields, readParameters } from '../../ui/parameter-fields.tsx'
import { putProject } from '../../ui/project-store.ts'
import { SelectField } from '../../ui/select.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Section } from '../../ui/view.tsx'
import { BudgetFields, draftOfBudget, readBudget } from './budget-fields.tsx'
import type { ChatLinks } from './projects-view.tsx'

interface SettingsProps extends Pick<ChatLinks, 'useModels'> {
  project: Project
}

/** The name, and what applies to the chats of a project: instructions, model, parameters and budget. */
export function ProjectSettings({ project, useModels }: SettingsProps) {
  const models = useModels() ?? []
  const [name, setName] = useState(project.name)
  const [instructions, setInstructions] = useState(project.instructions)
  const [model, setModel] = useState(project.model ?? '')
  const [parameters, setParameters] = useState(() => draftOfParameters(project.parameters ?? {}))
  const [budget, setBudget] = useState(() => draftOfBudget(project.budget))
  const [checked, setChecked] = useState(false)
  const [readingParameters, readingBudget] = [readParameters(parameters), readBudget(budget)]
  const saving = useAction(async () => {
    await putProject(
      api.projects.update({
        projectId: project.id,
        name: name.trim(),
        instructions,
        model: model === '' ? null : model,
        ...(readingParameters && { parameters: readingParameters }),
        ...(readingBudget !== 'faulty' && { budget: readingBudget }),
      }),
    )
    setChecked(false)
  })
  const submit = () => {
    setChecked(true)
    if (name.trim() && readingParameters && readingBudget !== 'faulty') void saving.run()
  }
  const offered = models.filter(({ id }) => !project.privateOnly || id.startsWith('private/'))
  return (
    <Section title={t`Settings`}>
      <Form className={formStyles.form} onSubmit={submit}>
        <Field
          label={t`Project name`}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={200}
        />
        <TextAreaField
          label={t`Instructions`}
          hint={t`Sent before the instructions of each chat in this project.`}
          value={instructions}
          onChange={(event) => setInstructions(event.target.value)}
          maxLength={200_000}
          rows={6}
        />
        <SelectField
          label={t`Model for new chats`}
          value={model}
          onChange={(event) => setModel(event.target.value)}
        >
          <option value="">{t`Last used`}</option>
          {model !== '' && !offered.some(({ id }) => id === model) && <option value={model}>{model}</option>}
          {offered.map(({ id, name: shown }) => (
            <option key={id} value={id}>
              {shown}
            </option>
          ))}
        </SelectField>
        <ParameterFields
          draft={parameters}
          model={offered.find(({ id }) => id === model)}
          checked={checked}
          onChange={setParameters}
        />
        <BudgetFields project={project} draft={budget} checked={checked} onChange={setBudget} />
        {saving.failure && <FailureNote failure={saving.failure} />}
        <div>
          <Button type="submit" busy={saving.busy && t`Saving…`} disabled={!name.trim()}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </Form>
    </Section>
  )
}
