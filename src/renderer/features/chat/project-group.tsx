import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronRight, FolderKanban } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef } from 'react'
import type { Project } from '../../../shared/project.ts'
import { useProjects } from '../../ui/project-store.ts'
import { addressOf, useRoute } from '../../ui/route.ts'
import styles from './conversation-list.module.css'
import { latestProjects } from './conversation-rows.ts'

const none: readonly Project[] = []

/**
 * The projects that changed last, under a heading that leads to all.
 * @param onHeight gets its height in pixels, because the list below draws only the rows in sight
 */
export function ProjectGroup({ onHeight }: { onHeight: (height: number) => void }) {
  const group = useRef<HTMLElement>(null)
  const projects = useProjects((state) => state.projects ?? none)
  const shown = useMemo(() => latestProjects(projects), [projects])
  useLayoutEffect(() => {
    const element = group.current
    if (!element) return
    const measured = new ResizeObserver(() => onHeight(element.offsetHeight))
    measured.observe(element)
    return () => measured.disconnect()
  }, [onHeight])
  const { view, part } = useRoute()
  const here = view === 'projects' && part === undefined
  return (
    <section ref={group} className={styles.projects} aria-label={t`Projects`}>
      <h2>
        <a
          className={styles.all}
          href={addressOf({ view: 'projects' })}
          {...(here ? { 'aria-current': 'page' as const } : {})}
        >
          <Trans>Projects</Trans>
          <ChevronRight size={14} strokeWidth={1.75} aria-hidden />
        </a>
      </h2>
      {shown.length > 0 && (
        <ul>
          {shown.map((project) => (
            <li key={project.id}>
              <ProjectRow project={project} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ProjectRow({ project: { id, name, damaged } }: { project: Project }) {
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
