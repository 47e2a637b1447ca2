import { SCOPES } from '../../access/scopes.ts';
import { refuse } from '../answer.ts';
import type { OauthSettings } from './oauth-settings.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** Where clients find the metadata of a resource (RFC 9728, 3.1). */
export function metadataUrlOf(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

/**
 * The metadata of the resource at its well-known path, with the path of an endpoint and without; `undefined` for other paths. All endpoints are
 * one resource: their paths begin with that of the resource, and one token is good for all of them.
 */
export function resourceMetadata(
  target: string,
  method: string,
  { issuer, scopes, audience }: OauthSettings & { readonly audience: string },
): Response | undefined {
  const [path = ''] = target.split('?', 1);
  if (path !== WELL_KNOWN && !path.startsWith(`${WELL_KNOWN}/`)) return undefined;
  if (method !== 'GET')
    return refuse({
      status: 405,
      message: `${method} is not allowed here. Use GET.`,
      headers: { Allow: 'GET' },
    });
  const resourcePath = new URL(audience).pathname.replace(/\/$/, '');
  const asked = path.slice(WELL_KNOWN.length);
  const isOurs =
    asked === '' || asked === '/' || asked === resourcePath || asked.startsWith(`${resourcePath}/`);
  if (!isOurs) return refuse({ status: 404, message: `The resource of this server is ${audience}.` });
  return Response.json({
    resource: audience,
    authorization_servers: [issuer],
    scopes_supported: [...new Set([...scopes, ...SCOPES])],
    bearer_methods_supported: ['header'],
    resource_name: 'Deskterity',
  });
}
