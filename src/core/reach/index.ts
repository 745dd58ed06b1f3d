export { openReach, type ReachParts } from './open-reach.ts'
export { failedNotice, openNotice } from './reach-notice.ts'
