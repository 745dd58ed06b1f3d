import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { FolderKanban } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Model } from '../../../shared/model.ts'
import type { Project } from '../../../shared/project.ts'
import { ServiceScope } from '../../data/service-scope.tsx'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { loadProjects, putProject, useProject, useProjects } from '../../ui/project-store.ts'
import { addressOf, go, useRoute } from '../../ui/route.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { View } from '../../ui/view.tsx'
import { ImportProject } from './import-project.tsx'
import { ProjectPage } from './project-page.tsx'
import styles from './projects.module.css'

/** What the chat view provides, because one feature doesn't import another. */
export interface ChatLinks {
  /** Undefined until they are loaded. */
  readonly useModels: () => readonly Model[] | undefined
  /** Opens a new chat in the project. */
  readonly beginIn: (project: Project) => void
  /** Loads the list of chats again, after a project with its chats was deleted or imported. */
  readonly reloadChats: () => void
}

/** Creates the view of all projects, and of one if the route names it. */
export function createProjectsView(links: ChatLinks) {
  return function ProjectsView() {
    const project = useProject(useRoute().part)
    useEffect(() => void loadProjects(), [])
    if (project)
      return (
        <ServiceScope>
          <ProjectPage key={project.id} project={project} {...links} />
        </ServiceScope>
      )
    return <ProjectList {...links} />
  }
}

async function createProject(name: string): Promise<void> {
  const { id } = await putProject(api.projects.create({ name }))
  go({ view: 'projects', part: id })
}

function ProjectList({ reloadChats }: ChatLinks) {
  const projects = useProjects((state) => state.projects)
  const failure = useProjects((state) => state.failure)
  const [isCreating, setCreating] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const create = (
    <div className={styles.actions}>
      <Button kind="primary" onClick={() => setCreating(true)}>
        <Trans>New project</Trans>
      </Button>
      <Button onClick={() => setImporting(true)}>
        <Trans>Import project…</Trans>
      </Button>
    </div>
  )
  return (
    <View title={t`Projects`} description={t`Chats with shared instructions and settings.`}>
      {failure && (
        <FailureNote failure={failure} onRetry={() => void loadProjects()} className={styles.note} />
      )}
      {!projects && !failure && <Skeleton label={t`Loading projects…`} />}
      {projects?.length === 0 ? (
        <EmptyState icon={FolderKanban} title={t`No projects yet`}>
          {create}
        </EmptyState>
      ) : (
        projects && (
          <>
            <ul className={styles.list}>
              {projects.map((project) => (
                <li key={project.id}>
                  <a className={styles.link} href={addressOf({ view: 'projects', part: project.id })}>
                    <span className={styles.name} dir="auto">
                      {nameOf(project)}
                    </span>
                    {project.privateOnly && <span className={styles.fact}>{t`Private only`}</span>}
                  </a>
                </li>
              ))}
            </ul>
            {create}
          </>
        )
      )}
      {isCreating && (
        <NameDialog
          title={t`New project`}
          description={t`The name stays on this computer.`}
          label={t`Project name`}
          maximum={200}
          button={t`Create`}
          busy={t`Creating…`}
          save={createProject}
          close={() => setCreating(false)}
        />
      )}
      {isImporting && <ImportProject onImported={reloadChats} close={() => setImporting(false)} />}
    </View>
  )
}

/** The name of a project. A damaged project has none that can be read. */
export function nameOf({ name, damaged }: Project): string {
  return damaged ? t`Damaged project` : name
}
