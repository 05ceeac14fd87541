/** API Gateway's response to a request that WAF blocks. */
export const wafFiltered = {
  type: 'WAF_FILTERED',
  status: 403,
  cause: 'the firewall blocked',
  summary: 'Blocked by the firewall',
  detail:
    'The firewall blocked the request, for one of these reasons: too many requests came from your IP address, the request looks like an attack, or it has an X-HTTP-Method-Override header. Send fewer requests, and do not send this header.',
};
