/** The scope `posts.write` of a service as a permission: `<serviceId>.posts:write`. */
export function permissionName(serviceId: string, scope: string): string {
  return `${serviceId}.${scope.replace('.', ':')}`;
}

const PERMISSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([a-z_]+):([a-z_]+)$/;

/** The parts of a permission's name; undefined for anything else. */
export function parsePermission(permission: string): { serviceId: string; scope: string } | undefined {
  const [, serviceId, resource, action] = PERMISSION.exec(permission) ?? [];
  return serviceId ? { serviceId, scope: `${resource}.${action}` } : undefined;
}
