import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronRight, FolderKanban } from 'lucide-react'
import type { Project } from '../../../shared/project.ts'
import { addressOf, useRoute } from '../../ui/route.ts'
import styles from './conversation-list.module.css'

/** Leads to all projects. */
export function ProjectsHeading() {
  const { view, part } = useRoute()
  const here = view === 'projects' && part === undefined
  return (
    <h2 className={styles.projects}>
      <a
        className={styles.all}
        href={addressOf({ view: 'projects' })}
        {...(here ? { 'aria-current': 'page' as const } : {})}
      >
        <Trans>Projects</Trans>
        <ChevronRight size={14} strokeWidth={1.75} className={styles.more} aria-hidden />
      </a>
    </h2>
  )
}

export function ProjectRow({ project: { id, name, damaged } }: { project: Project }) {
  const { view, part } = useRoute()
  const here = view === 'projects' && part === id
  const shown = damaged ? t`Damaged project` : name
  return (
    <div className={styles.row} data-here={here}>
      <a
        className={styles.link}
        href={addressOf({ view: 'projects', part: id })}
        title={shown}
        {...(here ? { 'aria-current': 'page' as const } : {})}
      >
        <FolderKanban size={16} strokeWidth={1.75} className={styles.glyph} aria-hidden />
        <span className={styles.title} dir="auto" data-damaged={damaged}>
          {shown}
        </span>
      </a>
    </div>
  )
}
