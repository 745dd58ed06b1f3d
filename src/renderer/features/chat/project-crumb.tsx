import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { useProject } from '../../ui/project-store.ts'
import { addressOf } from '../../ui/route.ts'
import styles from './chat-view.module.css'
import { setProject } from './chat-store.ts'

/** The name of a chat's project, which opens the project. */
export function ProjectCrumb({ projectId }: { projectId: string }) {
  const project = useProject(projectId)
  if (!project) return null
  return (
    <a className={styles.crumb} href={addressOf({ view: 'projects', part: project.id })} dir="auto">
      {project.damaged ? t`Damaged project` : project.name}
    </a>
  )
}

/** The project in which the next chat begins. */
export function NewChatProject({ projectId }: { projectId: string }) {
  const project = useProject(projectId)
  return (
    <p className={styles.within}>
      <ProjectCrumb projectId={projectId} />
      {project?.privateOnly && (
        <span>
          <Trans>Private only</Trans>
        </span>
      )}
      <IconButton label={t`Leave the project`} onClick={() => setProject(undefined)}>
        <X size={16} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </p>
  )
}
