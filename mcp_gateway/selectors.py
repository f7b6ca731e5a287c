"""Reads the audit log."""

from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet
from django.db.models.functions import TruncHour

from mcp_gateway.audit.charts import Hour
from mcp_gateway.audit.recorder import OK
from mcp_gateway.models import ToolCall

HOURS = 24


def calls_per_hour(*, rows: QuerySet[ToolCall], now: datetime, hours: int = HOURS) -> list[Hour]:
    """The hour of `now` and the hours before it, including those without calls."""
    last = now.replace(minute=0, second=0, microsecond=0)
    begins = [last - timedelta(hours=back) for back in reversed(range(hours))]
    counted = (
        rows.filter(at__gte=begins[0])
        .order_by()
        .annotate(hour=TruncHour("at"))
        .values_list("hour")
        .annotate(calls=Count("pk"), failed=Count("pk", filter=~Q(outcome=OK)))
    )
    by_hour = {hour: (calls, failed) for hour, calls, failed in counted}
    return [Hour(begin, *by_hour.get(begin, (0, 0))) for begin in begins]
