import { Tabs } from 'radix-ui'
import type { ComponentType } from 'react'
import { classNames } from './class-names.ts'
import styles from './view-tabs.module.css'
import { go, useRoute, type ViewName } from './route.ts'
import tabStyles from './tabs.module.css'

export interface ViewTab {
  /** The part of the route that shows this tab. */
  readonly id: string
  readonly name: string
  /** A heavy tab is loaded when it is first shown (./lazy-component.tsx). */
  readonly Tab: ComponentType
}

/**
 * The parts of a view, one of which is shown. The address names the shown part; the first part has the view's own
 * address. Arrow keys move between the tabs. `under`: the tab for a place that has no tab.
 */
export function ViewTabs({
  view,
  label,
  tabs,
  under,
}: {
  view: ViewName
  label: string
  tabs: readonly [ViewTab, ...ViewTab[]]
  under?: string | undefined
}) {
  const { part } = useRoute()
  const [first] = tabs
  const shown = tabs.find(({ id }) => id === (under ?? part)) ?? first
  return (
    <Tabs.Root
      value={shown.id}
      onValueChange={(id) => go(id === first.id ? { view } : { view, part: id })}
      className={styles.tabs}
    >
      <Tabs.List className={styles.names} aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Tabs.Trigger
            key={id}
            value={id}
            className={classNames(tabStyles.tab, styles.name)}
            // A narrow window shows only some of the names.
            ref={id === shown.id ? showInList : undefined}
          >
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {/* The other tabs aren't in the page. */}
      <Tabs.Content key={shown.id} value={shown.id} tabIndex={-1} className={styles.content}>
        <shown.Tab />
      </Tabs.Content>
    </Tabs.Root>
  )
}

/** Scrolls only the list of names, also when the window gets narrower. */
function showInList(name: HTMLElement | null) {
  const list = name?.parentElement
  if (!name || !list) return
  const observer = new ResizeObserver(() => {
    const [shown, frame] = [name.getBoundingClientRect(), list.getBoundingClientRect()]
    list.scrollLeft += Math.max(0, shown.right - frame.right) + Math.min(0, shown.left - frame.left)
  })
  observer.observe(list)
  return () => observer.disconnect()
}
