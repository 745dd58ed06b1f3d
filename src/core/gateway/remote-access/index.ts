export { startRemoteAccess, type RemoteAccessParts } from './remote-access.ts'
export { failedNotice, remoteAccessOpenNotice } from './remote-access-notice.ts'
