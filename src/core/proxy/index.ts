export { startProxy, type ProxyBackend, type ProxyServer } from './proxy-server.ts'
