import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Project } from '../../../shared/project.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Menu } from '../../ui/menu.tsx'
import { putProject } from '../../ui/project-store.ts'
import { addressOf } from '../../ui/route.ts'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Section, View } from '../../ui/view.tsx'
import { DeleteProject } from './delete-project.tsx'
import { DocumentsSection } from './documents-section.tsx'
import { ExportProject } from './export-project.tsx'
import { nameOf, type ChatLinks } from './projects-view.tsx'
import { ProjectSettings } from './project-settings.tsx'
import styles from './projects.module.css'

type PageProps = ChatLinks & { readonly project: Project }

/** One project: its chats, its settings, and what private-only means. */
export function ProjectPage({ project, beginIn, useModels, reloadChats }: PageProps) {
  const [isExporting, setExporting] = useState(false)
  return (
    <View title={nameOf(project)}>
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => beginIn(project)}>
          <Trans>New chat in this project</Trans>
        </Button>
        <Menu
          label={t`More actions for ${nameOf(project)}`}
          align="start"
          items={[{ name: t`Export…`, choose: () => setExporting(true) }]}
        />
      </div>
      {isExporting && <ExportProject project={project} close={() => setExporting(false)} />}
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
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {data?.length === 0 && <EmptyState compact title={t`No chats yet`} />}
      <ul className={styles.list}>
        {data?.map((conversation) => (
          <li key={conversation.id}>
            <a className={styles.link} href={addressOf({ view: 'chat', conversationId: conversation.id })}>
              <bdi className={styles.name}>{conversation.damaged ? t`Damaged chat` : conversation.title}</bdi>
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
      description={t`In a private-only project, chats go only to private models. You can’t allow others for a single chat.`}
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
