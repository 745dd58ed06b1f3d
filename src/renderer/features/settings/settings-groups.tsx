import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { addressOf, useRoute } from '../../ui/route.ts'
import styles from './settings-groups.module.css'

interface SettingsGroup {
  /** The part of the route that leads to the group. */
  readonly id: string
  readonly name: string
  readonly content: ReactNode
}

/** A group is current while it crosses this line near the top of the view. */
const CURRENT_LINE = '-20% 0px -79% 0px'

/** All groups of settings on one page, so that a person can search it, with links to each group at its side. */
export function SettingsGroups({ groups }: { groups: readonly SettingsGroup[] }) {
  const { part } = useRoute()
  const page = useRef<HTMLDivElement>(null)
  const [inView, setInView] = useState(groups[0]?.id)

  useEffect(() => {
    if (part === undefined) return
    page.current?.querySelector(`[data-group="${CSS.escape(part)}"]`)?.scrollIntoView()
  }, [part])

  const ids = groups.map(({ id }) => id).join(' ')
  useEffect(() => {
    const elements = [...(page.current?.querySelectorAll<HTMLElement>('[data-group]') ?? [])]
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.find(({ isIntersecting }) => isIntersecting)
        if (entry?.target instanceof HTMLElement) setInView(entry.target.dataset['group'])
      },
      { rootMargin: CURRENT_LINE },
    )
    for (const element of elements) observer.observe(element)
    return () => observer.disconnect()
  }, [ids])

  return (
    <div className={styles.page} ref={page}>
      <nav className={styles.nav} aria-label={t`Settings sections`}>
        {groups.map(({ id, name }) => (
          <a
            key={id}
            className={styles.link}
            href={addressOf({ view: 'settings', part: id })}
            // A second press of the same link changes no route, and the page may have been scrolled since.
            onClick={() => page.current?.querySelector(`[data-group="${id}"]`)?.scrollIntoView()}
            {...(id === inView ? { 'aria-current': 'location' as const } : {})}
          >
            {name}
          </a>
        ))}
      </nav>
      <div className={styles.groups}>
        {groups.map(({ id, content }) => (
          <div key={id} className={styles.group} data-group={id}>
            {content}
          </div>
        ))}
      </div>
    </div>
  )
}
