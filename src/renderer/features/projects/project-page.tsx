import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState, type SyntheticEvent } from 'react'
import type { Project } from '../../../shared/project.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Field } from '../../ui/field.tsx'
import formStyles from '../../ui/grouped-form.module.css'
import { putProject } from '../../ui/project-store.ts'
import { addressOf } from '../../ui/route.ts'
import { SelectField } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextAreaField } from '../../ui/text-area-field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Section, View } from '../../ui/view.tsx'
import { DeleteProject } from './delete-project.tsx'
import { DocumentsSection } from './documents-section.tsx'
import { nameOf, type ChatLinks } from './projects-view.tsx'
import styles from './projects.module.css'

type PageProps = ChatLinks & { readonly project: Project }

/** One project: its chats, its settings, and what private-only means. */
export function ProjectPage({ project, beginIn, useModels, reloadChats }: PageProps) {
  return (
    <View title={nameOf(project)}>
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => beginIn(project)}>
          <Trans>New chat in this project</Trans>
        </Button>
      </div>
      <Chats projectId={project.id} />
      <DocumentsSection projectId={project.id} />
      <PrivateOnly project={project} />
      <ProjectSettings project={project} useModels={useModels} />
      <DeleteProject project={project} onDeleted={reloadChats} />
    </View>
  )
}

function Chats({ projectId }: { projectId: string }) {
  const { data, failure, refresh } = useAnswer({
    key: ['project-chats', projectId],
    ask: (context) => api.conversations.list({ projectId }, context),
  })
  return (
    <Section title={t`Chats`}>
      {failure && (
        <FailureNote failure={failure}>
          <Button onClick={refresh}>
            <Trans>Try again</Trans>
          </Button>
        </FailureNote>
      )}
      {data?.length === 0 && <EmptyState compact title={t`No chats yet`} />}
      <ul className={styles.list}>
        {data?.map((conversation) => (
          <li key={conversation.id}>
            <a
              className={styles.link}
              href={addressOf({ view: 'chat', conversationId: conversation.id })}
              dir="auto"
            >
              <span className={styles.name}>
                {conversation.damaged ? t`Damaged chat` : conversation.title}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function PrivateOnly({ project: { id: projectId, privateOnly } }: { project: Project }) {
  const turning = useAction(async () => {
    await putProject(api.projects.update({ projectId, privateOnly: !privateOnly }))
  })
  return (
    <Section
      title={t`Privacy`}
      description={t`In a private-only project, chats go only to private models. No consent can change that.`}
    >
      <Switch
        label={t`Private only`}
        on={privateOnly}
        disabled={turning.busy}
        onTurn={() => void turning.run()}
      />
      {turning.failure && <FailureNote failure={turning.failure} />}
    </Section>
  )
}

function ProjectSettings({ project, useModels }: Pick<PageProps, 'project' | 'useModels'>) {
  const models = useModels() ?? []
  const [name, setName] = useState(project.name)
  const [instructions, setInstructions] = useState(project.instructions)
  const [model, setModel] = useState(project.model ?? '')
  const saving = useAction(async () => {
    await putProject(
      api.projects.update({
        projectId: project.id,
        name: name.trim(),
        instructions,
        model: model === '' ? null : model,
      }),
    )
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (name.trim()) void saving.run()
  }
  const offered = models.filter(({ id }) => !project.privateOnly || id.startsWith('private/'))
  return (
    <Section title={t`Settings`}>
      <form className={formStyles.form} onSubmit={submit}>
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
          dir="auto"
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
        {saving.failure && <FailureNote failure={saving.failure} />}
        <div>
          <Button type="submit" busy={saving.busy && t`Saving…`} disabled={!name.trim()}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Section>
  )
}
