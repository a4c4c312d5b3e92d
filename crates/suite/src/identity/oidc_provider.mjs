// A provider of single sign-on for tests: oidc-provider, which signs everyone in whom `login_hint` names.
import { createServer } from 'node:http';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { MODULES, PORT, CALLBACK, PEOPLE, ALGORITHM = 'RS256' } = process.env;
const oidc = await import(pathToFileURL(`${MODULES}/oidc-provider/lib/index.js`).href);

const issuer = `http://127.0.0.1:${PORT}`;
const pair = ALGORITHM === 'ES256'
  ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
  : generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = { ...pair.privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: ALGORITHM };
const people = () => JSON.parse(readFileSync(PEOPLE, 'utf8'));

const provider = new (oidc.Provider ?? oidc.default)(issuer, {
  clients: [{
    client_id: 'packhouse',
    client_secret: 'secret+/of:tests',
    redirect_uris: [CALLBACK],
    id_token_signed_response_alg: ALGORITHM,
  }],
  jwks: { keys: [key] },
  cookies: { keys: ['tests'] },
  pkce: { required: () => true },
  scopes: ['openid', 'profile', 'email', 'groups'],
  claims: {
    openid: ['sub'],
    profile: ['name', 'preferred_username'],
    email: ['email', 'email_verified'],
    groups: ['groups'],
  },
  findAccount: (_, accountId) => ({
    accountId,
    claims: async () => ({ sub: accountId, ...(people()[accountId] ?? {}) }),
  }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  loadExistingGrant: async (ctx) => {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope('openid profile email groups');
    await grant.save();
    return grant;
  },
});

const answer = provider.callback();
createServer(async (request, response) => {
  if (!request.url.startsWith('/interaction/')) {
    return answer(request, response);
  }
  const { params } = await provider.interactionDetails(request, response);
  const result = params.login_hint === 'nobody'
    ? { error: 'access_denied', error_description: '<script>alert(1)</script>' }
    : { login: { accountId: params.login_hint } };
  return provider.interactionFinished(request, response, result);
}).listen(Number(PORT), '127.0.0.1', () => console.log('ready'));
